from __future__ import annotations

import pytest
import rtoml

from support.heads import make_tone
from torus_eval.errors import EvaluationError
from torus_eval.listening.head import MeasuringAnswerer
from torus_eval.scene.head import NoiseGenerator, SceneGenerator
from torus_eval.seeds import seed_generator
from torus_eval.systems.base import CaptionEditor, Made
from torus_eval.systems.heads import HEADS, make_head
from torus_eval.systems.load import assemble, hash_system, list_systems, load_system, select_systems

RIGHT = {
    "schema": 1,
    "id": "mine",
    "arm": "native-edit",
    "text": "A system.",
    "answer": "random-letter",
    "generate": {"any": "noise"},
    "edit": {"any": "untouched"},
}


def write(folder, **changes):
    data = {name: value for name, value in (RIGHT | changes).items() if value is not None}
    path = folder / "mine.toml"
    path.write_text(rtoml.dumps(data), encoding="utf-8")
    return path


def test_packaged_systems_cover_the_three_arms_and_two_floors():
    systems = {system.id: system for system in list_systems()}
    assert len(systems) == 6
    assert {system.arm for system in systems.values()} == {"cascaded", "native-edit", "self-caption"}


def test_every_head_named_by_a_packaged_system_can_be_made():
    for system in list_systems():
        for name in system.generate.values():
            assert hasattr(make_head("generate", name), "generate")
    assert all(hasattr(make_head("answer", name), "answer") for name in HEADS["answer"])


def test_right_file_loads(tmp_path):
    assert load_system(write(tmp_path)).id == "mine"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"voice": "loud"}, "voice"),
        ({"id": "other"}, "the id is the file's name"),
        ({"generate": {"any": "scean"}}, "/generate/any.*did you mean 'scene'"),
        ({"answer": None}, "answer"),
        ({"edit": None}, "the arm native-edit needs edit heads"),
        ({"arm": "self-caption"}, "the arm self-caption needs a caption head and no edit heads"),
        ({"arm": "telepathy"}, "arm"),
        ({"generate": {"music": "noise"}}, "'any'"),
        ({"generate": {"any": "noise", "music": "scene"}}, "only under a route"),
    ],
)
def test_wrong_file_is_told(tmp_path, changes, message):
    with pytest.raises(EvaluationError, match=message):
        load_system(write(tmp_path, **changes))


def test_problems_of_all_files_are_told_at_once(tmp_path):
    write(tmp_path, id="x")
    (tmp_path / "broken.toml").write_text("schema = \n")
    with pytest.raises(EvaluationError) as caught:
        list_systems(tmp_path)
    assert {problem.file for problem in caught.value.problems} == {"mine.toml", "broken.toml"}


def test_every_unknown_system_is_told():
    with pytest.raises(EvaluationError) as caught:
        select_systems(("one", "two"), list_systems())
    assert len(caught.value.problems) == 2


def test_route_picks_the_specialist(tmp_path):
    system = load_system(write(tmp_path, route="kind", generate={"any": "noise", "foley": "scene"}))
    assert isinstance(assemble(system, {"kind": "foley"}).generator, SceneGenerator)
    assert isinstance(assemble(system, {"kind": "music"}).generator, NoiseGenerator)
    assert isinstance(assemble(system, {}).generator, NoiseGenerator)


def test_self_caption_edits_by_generating_from_caption_and_instruction(tmp_path):
    path = write(
        tmp_path, arm="self-caption", edit=None, caption="measured-words", answer="measuring-listener"
    )
    system = assemble(load_system(path), {})
    assert isinstance(system.editor, CaptionEditor)
    assert isinstance(system.answerer, MeasuringAnswerer)


def test_caption_stands_before_the_instruction_and_is_kept():
    class Parrot:
        heard = ""

        def caption(self, _clip, *, rng):
            assert rng is not None
            return "A tone."

        def generate(self, prompt, *, rng):
            assert rng is not None
            self.heard = prompt
            return Made(make_tone(), "noted")

    parrot = Parrot()
    made = CaptionEditor(parrot, parrot).edit(make_tone(), "Make it flat.", rng=seed_generator(0))
    assert parrot.heard == "A tone. Make it flat."
    assert (made.caption, made.note) == ("A tone.", "noted")


def test_hash_depends_on_what_is_said_and_not_on_layout(tmp_path):
    first = hash_system(load_system(write(tmp_path)))
    path = write(tmp_path)
    path.write_text("# a comment\n" + path.read_text())
    assert hash_system(load_system(path)) == first
    assert hash_system(load_system(write(tmp_path, text="Another."))) != first
