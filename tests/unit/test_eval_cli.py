from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from support.orchestra import write_garden
from torus_eval.cli import main


@pytest.fixture
def garden(tmp_path):
    return write_garden(tmp_path)


def call(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


def test_run_says_one_line_for_each_record(garden):
    result = call("run", "--benchmark", "toy", "--project", garden)
    assert result.exit_code == 0
    assert [line.rpartition("/")[2] for line in result.stderr.splitlines()] == [
        "chance.json",
        "dsp-native.json",
    ]
    assert result.stdout == ""


def test_quiet_run_says_nothing(garden):
    result = call("run", "--benchmark", "toy", "--project", garden, "--system", "chance", "-q")
    assert (result.exit_code, result.output) == (0, "")
    assert (garden / "results" / "toy" / "chance.json").exists()


def test_verbose_run_says_what_was_not_done(garden):
    result = call("run", "--benchmark", "toy", "--project", garden, "--system", "chance", "-v")
    assert "chance gong\n" in result.stderr
    assert "autumn: the clip is left as it was" in result.stderr


def test_output_goes_where_it_is_told(garden, tmp_path):
    result = call(
        "run", "--benchmark", "toy", "--project", garden, "--output", tmp_path / "else", "--tests", "bell"
    )
    assert result.exit_code == 0
    assert not (garden / "results").exists()
    assert (tmp_path / "else" / "audio" / "toy" / "chance" / "bell-spring.ogg").exists()


def test_mistake_is_one_message_and_exit_code_1(garden):
    result = call("run", "--benchmark", "toy", "--project", garden, "--system", "chancee")
    assert result.exit_code == 1
    assert result.stderr == (
        "torus-eval: --system: found 'chancee'; expected one of chance, coarse-native, dsp-native, "
        "recaption, scene-cascade, text-prior; did you mean 'chance'?\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("run", "--benchmark", "toy", "--jobs", "0"),
        ("run", "--benchmark", "toy", "--seed", "-1"),
        ("run", "--benchmark", "toy", "--project", "/nowhere/at/all"),
        ("walk",),
    ],
)
def test_wrong_usage_is_exit_code_2(words):
    assert call(*words).exit_code == 2


def test_systems_are_listed_with_arm_and_text():
    result = call("systems")
    assert result.exit_code == 0
    assert [line.split()[:2] for line in result.stdout.splitlines()] == [
        ["chance", "native-edit"],
        ["coarse-native", "native-edit"],
        ["dsp-native", "native-edit"],
        ["recaption", "self-caption"],
        ["scene-cascade", "cascaded"],
        ["text-prior", "native-edit"],
    ]


def test_help_loads_neither_numpy_nor_soundfile():
    code = (
        "import sys\n"
        "from torus_eval.cli import main\n"
        "try:\n    main(['run', '--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'soundfile', 'pydantic'} & sys.modules.keys()), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
