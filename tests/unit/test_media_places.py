"""Clips are found inside the project and nowhere else."""

from __future__ import annotations

import os

import pytest

from torus_site.errors import MediaError
from torus_site.media.places import Places


@pytest.fixture
def root(tmp_path):
    (tmp_path / "project" / "audio").mkdir(parents=True)
    (tmp_path / "secret.wav").write_bytes(b"secret")
    return tmp_path / "project"


def refuse(root, clip):
    with pytest.raises(MediaError) as caught:
        Places(root).find(clip)
    (problem,) = caught.value.problems
    return problem


@pytest.mark.parametrize(
    "name", ["a#1.wav", "50%.wav", "a b.wav", "größe-試験.wav", "%2e%2e.wav", "a;b&c'd.wav", "..a.wav"]
)
def test_any_name_works(root, name):
    path = root / "audio" / name
    path.write_bytes(b"12345")
    place = Places(root).find(f"audio/{name}")
    assert (place.path, place.size, place.mtime_ns) == (path, 5, path.stat().st_mtime_ns)


@pytest.mark.parametrize(
    "clip",
    [
        "../secret.wav",
        "audio/../../secret.wav",
        "audio/..",
        "/etc/passwd",
        "C:/a.wav",
        "C:a.wav",
        "audio\\a.wav",
        "..\\a.wav",
        "",
        "a\0.wav",
    ],
)
def test_path_that_leaves_the_project_is_refused(root, clip):
    assert refuse(root, clip).found == "a path that leaves the project"


def test_link_that_leaves_the_project_is_refused(root, tmp_path):
    (root / "audio" / "out.wav").symlink_to(tmp_path / "secret.wav")
    (root / "folder").symlink_to(tmp_path)
    assert refuse(root, "audio/out.wav").found == "a link that leaves the project"
    assert refuse(root, "folder/secret.wav").found == "a link that leaves the project"


def test_link_inside_the_project_is_followed(root):
    (root / "audio" / "real.wav").write_bytes(b"12345")
    (root / "audio" / "link.wav").symlink_to("real.wav")
    assert Places(root).find("audio/link.wav").size == 5


def test_project_may_itself_be_a_link(root, tmp_path):
    (root / "audio" / "a.wav").write_bytes(b"1")
    (tmp_path / "elsewhere").symlink_to(root)
    assert Places(tmp_path / "elsewhere").find("audio/a.wav").size == 1


def test_broken_links_are_told_apart(root):
    (root / "audio" / "a.wav").symlink_to("gone.wav")
    (root / "audio" / "b.wav").symlink_to("../.git/annex/objects/xx/yy/SHA256E-s1--abc.wav")
    assert refuse(root, "audio/a.wav").found == "a link to nothing"
    problem = refuse(root, "audio/b.wav")
    assert "git-annex link" in problem.found
    assert "git annex get" in problem.action


def test_missing_clip_suggests_the_nearest_name(root):
    (root / "audio" / "banjo-S1.wav").write_bytes(b"1")
    problem = refuse(root, "audio/bnajo-S1.wav")
    assert problem.found == "no such file"
    assert problem.action == "did you mean 'banjo-S1.wav'?"
    assert refuse(root, "audio/banjo-S1.mp3").action == ""
    assert refuse(root, "nowhere/banjo.wav").action == ""


@pytest.mark.parametrize("name", ["banjo-S2.wav", "piano-S1.wav", "banjo-S11.wav"])
def test_missing_clip_suggests_no_clip_of_something_else(root, name):
    (root / "audio" / "banjo-S1.wav").write_bytes(b"1")
    assert refuse(root, f"audio/{name}").action == ""


def test_folder_and_pipe_are_no_clips(root):
    os.mkfifo(root / "audio" / "pipe.wav")
    assert refuse(root, "audio").found == "a folder"
    assert refuse(root, "audio/pipe.wav").found == "no ordinary file"


def test_name_longer_than_any_file_system_takes_is_refused(root):
    assert refuse(root, "audio/" + "a" * 300).found == "file name too long"


def test_file_used_as_a_folder_is_no_such_file(root):
    (root / "audio" / "a.wav").write_bytes(b"1")
    assert refuse(root, "audio/a.wav/b.wav").found == "no such file"
