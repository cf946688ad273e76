"""Views of the programme: fetch, decide page or fragment, render."""
