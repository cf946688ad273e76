// The stars work as links to a small page without this script.
