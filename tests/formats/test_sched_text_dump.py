"""The dump that ships with the project: every number of it, and many whole values."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from sessions_app.importers import read
from sessions_app.records import (
    Problem,
    Severity,
    Source,
    SourceConference,
    SourceSession,
    SourceSlides,
    SourceSpeaker,
    SourceTrack,
)

DUMP = Path(__file__).parents[2] / "fixtures" / "schedule_dump.txt"
PARIS = ZoneInfo("Europe/Paris")


@pytest.fixture(scope="module")
def source() -> Source:
    return read(DUMP.read_bytes())


def by_line(source: Source, line: int) -> SourceSession:
    return next(session for session in source.sessions if session.line == line)


def by_name(source: Source, name: str) -> SourceSpeaker:
    return next(speaker for speaker in source.speakers if speaker.name == name)


def at(hour: int, minute: int) -> dt.datetime:
    return dt.datetime(2026, 4, 8, hour, minute, tzinfo=PARIS)


def test_the_conference(source):
    assert source.conference == SourceConference(
        name="PyTorch Conference Europe 2026",
        place="Paris, France",
        starts_on=dt.date(2026, 4, 7),
        ends_on=dt.date(2026, 4, 8),
        timezone="Europe/Paris",
        notice="Note: The schedule is subject to change.",
        registration_note=(
            "The Sched app allows you to build your schedule but is not a substitute for your "
            "event registration. You must be registered for PyTorch Conference Europe 2026 to "
            "participate in the sessions. If you have not registered but would like to join us, "
            "please go to the event registration page to purchase a registration."
        ),
    )
    assert not source.is_filtered


def test_sixty_two_sessions_of_one_day_in_order(source):
    sessions = source.sessions
    assert [session.order for session in sessions] == list(range(1, 63))
    assert sorted(session.line for session in sessions) == [session.line for session in sessions]
    assert min(session.starts_at for session in sessions) == at(8, 0)
    assert max(session.ends_at for session in sessions) == at(16, 50)
    assert {session.starts_at.isoformat()[:10] for session in sessions} == {"2026-04-08"}
    assert {session.starts_at.isoformat()[-6:] for session in sessions} == {"+02:00"}


def test_rooms(source):
    assert source.rooms == (
        "Biblioteca Room at La Felicità",
        "Central Room",
        "Founders Cafe",
        "Junior Stage",
        "Lobby",
        "Master Stage",
        "Open Platform",
        "TBA",
    )
    assert Counter(session.room for session in source.sessions) == {
        "Central Room": 15,
        "Master Stage": 14,
        "Junior Stage": 11,
        "Founders Cafe": 11,
        "Open Platform": 10,
        "Lobby": 1,
    }


def test_tracks_and_levels(source):
    posters = "Poster Presentations"
    assert source.tracks == (
        SourceTrack("Agents & Interop"),
        SourceTrack("Applications & Case Studies"),
        SourceTrack("Birds of A Feather"),
        SourceTrack("Breaks/Exhibits/Special Events"),
        SourceTrack("Frameworks & Compilers"),
        SourceTrack("GenAI & Multimodal"),
        SourceTrack("Inference & Production"),
        SourceTrack("Keynote Sessions"),
        SourceTrack("Meet the Developers"),
        SourceTrack(posters),
        SourceTrack("Applications & Case Studies", posters),
        SourceTrack("Frameworks & Compilers", posters),
        SourceTrack("GenAI & Multimodal", posters),
        SourceTrack("Inference & Production", posters),
        SourceTrack("Responsible AI & Compliance", posters),
        SourceTrack("Responsible AI & Compliance"),
        SourceTrack("Security & Privacy"),
        SourceTrack("Training Systems"),
    )
    assert all(len(session.tracks) == 1 for session in source.sessions)
    assert not any(track.parent for session in source.sessions for track in session.tracks)
    assert source.levels == ("Advanced", "Any", "Beginner", "Intermediate")
    levels = Counter(session.levels for session in source.sessions)
    assert levels == {("Any",): 17, (): 45}


def test_kinds_and_sponsorship(source):
    assert Counter(session.kind for session in source.sessions) == {
        "lightning_talk": 26,
        "talk": 19,
        "keynote": 5,
        "service": 5,
        "birds_of_a_feather": 2,
        "meet_the_developers": 2,
        "sponsor_activity": 2,
        "sponsored_session": 1,
    }
    assert [session.line for session in source.sessions if session.is_sponsored] == [
        103,
        226,
        671,
        1428,
    ]


def test_people(source):
    speakers = source.speakers
    assert len(speakers) == 78
    assert sum(len(session.speakers) for session in source.sessions) == 87
    assert sum(speaker.bio_is_truncated for speaker in speakers) == 45
    assert [speaker.name for speaker in speakers if not speaker.bio] == [
        "Ashesh Vidyut",
        "Julien Demouth",
        "Maen Suleiman",
        "Sahana Venkatesh",
        "Cyril Kondratenko",
        "Maurits de Groot",
    ]
    assert [speaker.name for speaker in speakers if not speaker.has_avatar] == [
        "Julien Demouth",
        "Maen Suleiman",
        "Andrii Krutsylo",
        "Cyril Kondratenko",
        "Maurits de Groot",
    ]
    listed = {name for session in source.sessions for name in session.speakers}
    assert listed == {speaker.name for speaker in speakers}


def test_slides(source):
    decks = [deck for session in source.sessions for deck in session.slides]
    assert Counter(deck.file_type for deck in decks) == {"pdf": 33, "pptx": 3}
    assert sum(bool(session.slides) for session in source.sessions) == 35
    assert [session.line for session in source.sessions if session.has_slides_tag] == [
        34,
        54,
        81,
        103,
        939,
        1122,
        1267,
    ]
    assert by_line(source, 54).slides == (
        SourceSlides("3. Artur Niederfahrenhorst", "pdf"),
        SourceSlides("2. Tyler Michael Smith", "pdf"),
    )


def test_abstracts(source):
    without = [session.line for session in source.sessions if not session.abstract]
    assert without == [14, 24, 54, 81]
    everything = [session.abstract for session in source.sessions]
    everything += [speaker.bio for speaker in source.speakers]
    assert not any(text != text.strip() or "\n\n" in text for text in everything)
    assert not any("Read More" in text or "CEST" in text for text in everything)


def test_a_session_with_everything(source):
    assert by_line(source, 54) == SourceSession(
        order=4,
        line=54,
        title="vLLM & Ray Updates",
        source_title=(
            "Keynote: vLLM & Ray Updates - Tyler Michael Smith, Chief Architect - Inference "
            "Engineering, Red Hat & Artur Niederfahrenhorst, Member of Technical Staff,Anyscale"
        ),
        kind="keynote",
        starts_at=at(9, 10),
        ends_at=at(9, 25),
        room="Master Stage",
        tracks=(SourceTrack("Keynote Sessions"),),
        levels=("Any",),
        speakers=("Tyler Michael Smith", "Artur Niederfahrenhorst"),
        slides=(
            SourceSlides("3. Artur Niederfahrenhorst", "pdf"),
            SourceSlides("2. Tyler Michael Smith", "pdf"),
        ),
        has_slides_tag=True,
    )


def test_a_session_with_a_menu(source):
    assert by_line(source, 644) == SourceSession(
        order=28,
        line=644,
        title="Attendee Lunch",
        source_title="Attendee Lunch",
        kind="service",
        starts_at=at(12, 0),
        ends_at=at(13, 30),
        room="Open Platform",
        tracks=(SourceTrack("Breaks/Exhibits/Special Events"),),
        abstract="\n".join(
            [
                "Menu | Boxed Lunch",
                "Vegan: (Vegetarian)",
                "-Organic green lentils from Beauce, lentil hummus, and red cabbage pickles",
                "-Chocolate cookie",
                "Gluten-Free: (Vegetarian)",
                "-Organic Beauce quinoa with dried fruit, coconut yogurt with herbs",
                "-Yogurt to drink",
                "Classic:",
                "Bulgur wheat and red lentil salad (Vegetarian)",
                "Cereal bread, poached salmon, and vegetables",
                "Or",
                "Pastrami burger with vegetable caviar and tomato sauce",
                "Or",
                "Round baguette with artichoke tapenade, arugula, tomato, and Parmesan cheese "
                "(Vegetarian)",
                "Brownie (Vegetarian)",
            ]
        ),
    )


def test_the_last_session_ends_where_the_footer_begins(source):
    last = by_line(source, 1496)
    assert (last.room, last.tracks, last.levels) == (
        "Central Room",
        (SourceTrack("Frameworks & Compilers"),),
        (),
    )
    assert last.abstract.split("\n")[2:] == [
        "1. The Code: How much rewriting is actually required?",
        "2. The Performance: Which model architectures thrive on ASICs, and which ones fail due "
        "to dynamic shapes?",
        "3. The Debugging: What happens when you hit an OOM or a compilation hang?",
        "Attendees will leave with a clear 'Migration Decision Matrix' to determine if their "
        "specific workload is ready for the ASIC leap.",
    ]


def test_a_hard_wrap_in_mid_sentence_is_joined(source):
    first, second = by_line(source, 373).abstract.split("\n")
    assert "The core issue is misalignment: most telemetry is sampled by time" in first
    assert first.endswith("the slowest rank rather than averages.")
    assert second.startswith("In this talk I will breaks down")


def test_people_whole(source):
    assert by_name(source, "Dev Jadhav") == SourceSpeaker(
        name="Dev Jadhav",
        headline="Tech Lead ML Engineer, ING Bank",
        company="ING Bank",
        bio=(
            "Dev Jadhav is a production AI/ML engineer with 10+ years building AI systems at "
            "scale. He currently leads ML engineering at Major Bank, developing financial-grade "
            "AI and large-scale model operations. Dev is the creator of DeepSeek From Scratch, an "
            "open-source implementation of DeepSe"
        ),
        bio_is_truncated=True,
        has_avatar=True,
    )
    assert by_name(source, "Maurits de Groot") == SourceSpeaker(
        name="Maurits de Groot",
        headline="AI/ML Specialist Solutions Architect, Nebius",
        company="Nebius",
    )
    assert by_name(source, "Julien Demouth") == SourceSpeaker(
        name="Julien Demouth",
        headline="Senior Distinguished Engineer - Eng. Lead for AI Labs & Models, NVIDIA",
        company="NVIDIA",
    )
    assert by_name(source, "Madhav Bissa") == SourceSpeaker(
        name="Madhav Bissa",
        headline="Senior Software Engineer, Google",
        company="Google",
        bio="member, grpc-Go",
        has_avatar=True,
    )
    assert len(by_name(source, "Alpha Romer Coma").bio.split("\n")) == 2


@pytest.mark.parametrize(
    ("name", "company"),
    [
        ("Matt White", "The Linux Foundation"),
        ("Hameer Abbasi", "OpenTeams, Inc."),
        ("Andrii Krutsylo", "Polish Academy of Sciences"),
        ("Nili Guy", "IBM"),
        ("Thomas Ortner", "IBM Research Europe - Zurich"),
        ("Jeff Hammond", "NVIDIA Helsinki Oy"),
        ("Kateryna Romashko", "RedHat"),
        ("Raja Gopal Hari Vijay -", "Zoho Corporation"),
    ],
)
def test_companies(source, name, company):
    assert by_name(source, name).company == company


TITLES = """\
Registration & Badge Pick-Up
Community Expo
PyTorch CTO
vLLM & Ray Updates
The Hub as Infrastructure. From Open PyTorch Models, to a Safe and Performant Distribution Hub
Open Source Infrastructure for the AI Native Era
Gemma 4: Compacting Intelligence for the Edge
Disaggregated Tokenization: Building Toward Tokens-In-Tokens-Out LLM Inference
Coffee Break
Meet the vLLM Maintainers
Validating AI on CPUs: The vLLM 3-Phase Evaluation Framework
Monarch: An API To Your Supercomputer
Live Migration of PyTorch GPU Nodes From Azure To European Clouds
Beyond JSON-RPC: Scaling Model Context Protocols With gRPC in the PyTorch Ecosystem
How To Write C++ Extensions in 2026
Achieving SOTA GEMM Performance: A CuTeDSL Backend for PyTorch Inductor
Step-Aligned Telemetry for Distributed PyTorch Training (Time & Memory Attribution Across Ranks)
Accelerating PyTorch Models With Torch.compile's C++ Wrapper Mode
KV-Cache Centric Inference: Building a State-Aware Serving Platform With Llm-d and VLLM
Bringing PyTorch Monarch to AMD GPUs: Single-Controller Distributed Training on ROCm
Fp8 Training From Hopper To Blackwell
Building AI That Ops Teams Actually Trust
Not All Tokens Are Equal: Semantic KV-Cache for Agentic LLM Serving
Enabling the Audio Modality for Language Models
Accelerating Complex-Valued Tensors With Torch.compile
Optimizing Large MoE Inference on NVIDIA Blackwell: NVFP4, ADP, and DualPipe Strategies
Portable High\u2011Performance LLM Serving: A Triton Backend for VLLM
Attendee Lunch
Lobster Trap: OpenClaw in Containers
From Hugging Face To Handheld: Scaling LLM Deployment With LiteRT Generative API
PyTorch on RISC-V: From Cross-Compilation To Native CI
PyTorch Symmetric Memory + NCCL Device APIs: A New Path Towards Multi-GPU Kernels
Optimizing CPU LLM Inference in PyTorch: Lessons From VLLM
Slash LLM Cold-Start Times by Pre-distributing GPU Caches
Pluggable PyTorch LLM Inference Architecture With VLLM and AWS Neuron Backends
Backpropagation-Free Optimization in PyTorch
Debugging the Undebuggable: Introducing Torch.distributed.debug
Deploying PyTorch Models To the Browser and Beyond With Transformers.js
Distributed AI Without the Infrastructure Tax
Inside VLLM's KV Offloading Connector: Async Memory Transfers for Higher Inference Throughput
Scaling Recommendation Systems To 2K GPUs and Beyond
Torch-Spyre: Compiling To a Multi-core Dataflow Accelerator With Inductor
Every Millisecond Counts: The Fine-tuning Journey of an Ultra-Efficient PyTorch Model for the Edge
Seamless Integration: Custom Kernels in the Torch.compile Stack Without Graphbreaks
From Responses To Trajectories: Multi-Turn and Multi-Environment Reinforcement Learning
Building a PyTorch\u2011native VLLM Plugin for IBM Spyre
Full-Stack PyTorch Robotics VLA: From Data To Edge Via ExecuTorch/OpenVINO
NCCL in the Wild: Scaling Communications To Thousands of GPUs
Coffee Break
Meet the Ray Maintainers
Trinity Large - Torchtitan on 2000+ B300s
Bridging the Hardware Gap With Code Harnesses on the Hugging Face Kernels Hub
Beyond the Theory: What Actually Breaks When You Scale Your Disaggregated Pytorch Models
Building Trust for Users and Regulators Alike: A Cost-Efficient PyTorch Path To Compliance-as-Code
Faster Than SOTA Kernels in Torch.compile With Subgraph Fusions and Custom Op Autotuning
Why Logging Isn’t Enough: Making PyTorch Training Regressions Visible in Practice
From Gradients To Governance: Making PyTorch Lineage-Aware
DualPipe from Scratch: Implementing DeepSeek's 5D Parallelism in PyTorch
Fault-Tolerant Training: How We Build Reliable Clusters for Distributed AI Workloads
Ball Tracking and Detection in Soccer Videos - Comparison of VLMs and Traditional Pipelines
Bridging the Gap: Engineering Compliant "Glass Box" Medical AI With PyTorch
De-mystifying PyTorch for ASICs: When (and Why) To Move Your Development To AI Accelerators
"""


def test_titles_have_lost_their_kind_and_their_speakers(source):
    assert [session.title for session in source.sessions] == TITLES.splitlines()


def test_printed_titles_are_kept(source):
    dump = {" ".join(line.split()) for line in DUMP.read_text(encoding="utf-8").splitlines()}
    assert {session.source_title for session in source.sessions} <= dump
    assert max(len(session.source_title) for session in source.sessions) == 204


def test_problems_name_their_lines(source):
    assert not source.has_errors
    assert [(problem.line, problem.code) for problem in source.problems] == [
        (2, "year-differs"),
        (125, "name-differs"),
        (142, "room-shared"),
        (144, "name-differs"),
        (528, "name-differs"),
        (984, "name-differs"),
        (1150, "name-differs"),
        (1297, "name-differs"),
        (1430, "name-differs"),
    ]
    assert source.problems[0] == Problem(
        line=2,
        code="year-differs",
        severity=Severity.WARNING,
        message="The banner says 2025, the sessions are in 2026; the sessions count.",
    )


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(lambda data: b"\xef\xbb\xbf" + data, id="byte order mark"),
        pytest.param(lambda data: data.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(lambda data: data.replace(b"\n", b"\r"), id="CR"),
        pytest.param(lambda data: data + b"\n\n\n", id="more lines at the end"),
    ],
)
def test_ends_of_lines_and_marks_change_nothing(source, variant):
    assert read(variant(DUMP.read_bytes())) == source


def test_a_given_zone_overrules(source):
    london = read(DUMP.read_bytes(), timezone="europe/london")
    assert london.conference.timezone == "Europe/London"
    assert london.sessions[0].starts_at.isoformat() == "2026-04-08T08:00:00+01:00"
    assert [problem.code for problem in london.problems if problem.line == 17] == [
        "abbreviation-differs"
    ]
