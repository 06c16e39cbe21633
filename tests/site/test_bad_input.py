"""Whatever is wrong with a project is told all at once, and the site that stands is left as it is."""

from __future__ import annotations

import io
import os
import shutil

import numpy as np
import pytest
import soundfile

from support.console import run_site
from support.projects import CLIPS, clip_ref, make_clip, small_files, write_files

SITE = "site_src/site.toml"
HOME = "site_src/index.md"
ABOUT = "site_src/about.md"
DESCRIPTOR = "site_src/toy/benchmark.toml"
ITEM = "site_src/toy/tests/bell.toml"
RUN = "results/toy/cascade.json"
CLIP = next(iter(CLIPS))
CELL = f"{CLIP} at cascade, bell, stage S1"
KINDS = "WAV, FLAC, Ogg or MP3 audio"

CASES = {}


def case(*expected):
    """Register a change to a right project and the errors it must bring, each a whole line."""

    def register(change):
        CASES[change.__name__] = (change, expected)
        return change

    return register


def first_question(files):
    return files[ITEM]["cells"][0]["questions"][0]


def first_cell(files):
    return files[RUN]["items"][0]["cells"][0]


def replace_clip(files, content):
    """Put other content in a clip's place, the results knowing it."""
    files[CLIP] = content
    first_cell(files)["clip"] = clip_ref(CLIP, content)


def write_float(value):
    """A clip of zeros with one other sample."""
    samples = np.zeros((800, 1), dtype=np.float32)
    samples[400] = value
    file = io.BytesIO()
    soundfile.write(file, samples, 8000, format="WAV", subtype="FLOAT")
    return file.getvalue()


@case(
    f"{ITEM} at /tittle: found the unknown key 'tittle'; expected one of schema, id, title, order, summary, "
    "notice, facets, flags, cells; did you mean 'title'?"
)
def unknown_key(files):
    files[ITEM]["tittle"] = "The bell"


@case(
    f"{SITE} at /audio/formt: found the unknown key 'formt'; expected one of format, bitrate_kbps, "
    "spectrograms; did you mean 'format'?"
)
def unknown_key_of_the_site(files):
    files[SITE]["audio"]["formt"] = "mp3"


@case(f"{ITEM} at /title: found nothing; expected text")
def missing_field(files):
    del files[ITEM]["title"]


@case(f"{ITEM} at /order: found 'first'; expected a whole number")
def wrong_type(files):
    files[ITEM]["order"] = "first"


@case(f"{ITEM} at /cells/0/questions/0/key: found 'F'; expected one of A, B, C")
def key_not_among_the_options(files):
    first_question(files)["key"] = "F"


@case(f"{ITEM} at /cells/0/questions/0/options: found 2 options; expected 3")
def an_option_too_few(files):
    first_question(files)["options"].pop()


@case(f"{ITEM} at /cells/0/questions/0/options: found 4 options; expected 3")
def an_option_too_many(files):
    first_question(files)["options"].append("four")


@case(
    f"{RUN} at /system: found 'cascades'; expected a system, one of cascade, paper; did you mean 'cascade'?",
)
def unknown_system(files):
    files[RUN]["system"] = "cascades"


@case(
    f"{RUN} at /items: found nothing for 'bell'; expected every item in a computed run; run it again",
    f"{RUN} at /items/0/item: found 'bel'; expected an item, one of bell; did you mean 'bell'?",
)
def unknown_item(files):
    files[RUN]["items"][0]["item"] = "bel"


@case(
    f"{RUN} at /items/0/cells/0/answers: found no answer to 'S1.1'; expected an answer to every question",
    f"{RUN} at /items/0/cells/0/answers/0/question: found 'S1.7'; expected a question, one of S1.1, S1.2; "
    "did you mean 'S1.2'?",
)
def answer_without_a_question(files):
    first_cell(files)["answers"][0]["question"] = "S1.7"


@case(f"{CELL}: found no such file; expected a clip")
def missing_clip(files):
    del files[CLIP]


@case(f"{CELL}: found an empty file; expected {KINDS}")
def empty_clip(files):
    files[CLIP] = b""


@case(f"{CELL}: found no audio; expected {KINDS}")
def clip_of_noise_bytes(files):
    replace_clip(files, b"\x00\x01\x02" * 300)


@case(f"{CELL}: found an HTML page; expected {KINDS}")
def clip_that_is_a_web_page(files):
    replace_clip(files, b"<!doctype html><p>Not found</p>")


@case(f"{CELL}: found a Git LFS pointer instead of the clip; expected {KINDS}; run 'git lfs pull'")
def clip_that_is_a_pointer(files):
    files[CLIP] = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n"


@case(
    f"{CLIP} at 0.050 s, cascade, bell, stage S1: found NaN or infinity in 1 of 800 frames; expected finite "
    "samples; write the clip again"
)
def clip_with_nan(files):
    replace_clip(files, write_float(np.nan))


@case(
    f"{CLIP} at 0.050 s, cascade, bell, stage S1: found NaN or infinity in 1 of 800 frames; expected finite "
    "samples; write the clip again"
)
def clip_with_infinity(files):
    replace_clip(files, write_float(np.inf))


@case(
    f"{CELL}: found sha256 {clip_ref('', make_clip(100.0))['sha256'][:12]}…; expected "
    f"{clip_ref('', make_clip(CLIPS[CLIP]))['sha256'][:12]}…, that of the clip {RUN} is about; "
    "run the evaluator again or restore the clip"
)
def clip_other_than_the_one_answered_about(files):
    files[CLIP] = make_clip(100.0)


@case(
    f"{DESCRIPTOR} at /comparator/item: found 'bell'; expected an item, one of 50% #1 größe",
    "site_src/toy/tests/50% #1 größe.toml at /id: found '50% #1 größe'; expected lower-case letters and "
    "digits, joined by - or _",
    f"{RUN} at /items/0/item: found 'bell'; expected an item, one of 50% #1 größe",
)
def item_with_an_awkward_name(files):
    files["site_src/toy/tests/50% #1 größe.toml"] = files.pop(ITEM) | {"id": "50% #1 größe"}


@case(
    f"{RUN} at /items/0/cells/2/at: found a second clip for bell stage S1; expected one for each item and "
    "point",
    f"{RUN} at /items/0/cells/2/answers: found no answer to 'S1.1'; expected an answer to every question",
    f"{RUN} at /items/0/cells/2/answers: found no answer to 'S1.2'; expected an answer to every question",
)
def two_clips_for_one_cell(files):
    cells = files[RUN]["items"][0]["cells"]
    cells.append(cells[0] | {"answers": []})


@case(
    f"{RUN} at /items/0/cells/0/clip/path: found '../secret.wav'; expected a path inside the project such as "
    "audio/a.flac, without \\, . or .."
)
def path_that_leaves_the_project(files):
    first_cell(files)["clip"]["path"] = "../secret.wav"


@case(
    f"{RUN} at /items/0/cells/0/clip/path: found '/etc/passwd'; expected a path inside the project such as "
    "audio/a.flac, without \\, . or .."
)
def absolute_path(files):
    first_cell(files)["clip"]["path"] = "/etc/passwd"


@case(f"{RUN} at /schema: found 99; expected 1; this version of torus-site knows no other schema")
def unknown_schema_of_results(files):
    files[RUN]["schema"] = 99


@case(
    f"{ITEM} at line 2, column 11: found the end of the file; expected valid TOML; "
    'invalid basic string, expected `"`'
)
def toml_that_does_not_parse(files):
    files[ITEM] = 'schema = 1\ntitle = "x\n'


@case(
    f"{RUN} at line 2, column 14: found '\"schema\": 1,,'; expected valid JSON; Expecting property name "
    "enclosed in double quotes"
)
def json_that_does_not_parse(files):
    files[RUN] = '{\n "schema": 1,,\n}'


@case(
    f"{RUN} at /scores/0/value: found 80; expected 75.00, from 3 of 4",
    f"{RUN} at /scores/0/value: found 80; expected 75.00, from the mean along stage",
)
def number_that_does_not_recompute(files):
    files[RUN]["scores"][0]["value"] = 80.0


@case(
    f"{HOME} at ::: tabel main: found 'tabel'; expected a kind of block; did you mean 'table'?",
    f"{HOME} at ::: table mian: found 'mian'; expected a table; did you mean 'main'?",
    f"{HOME} at ::: table tyo:main: found 'tyo'; expected a benchmark; did you mean 'toy'?",
)
def unknown_blocks(files):
    files[HOME] = "title: Home\n\n::: tabel main\n\n::: table mian\n\n::: table tyo:main\n"


@case(f"{ABOUT} at line 3: found the byte 0xff; expected UTF-8 text; save it as UTF-8")
def page_in_another_encoding(files):
    files[ABOUT] = b"title: About\n\n\xff\xfe\n"


@case(f"{HOME}: found no home page; expected a Markdown page; add it")
def no_home_page(files):
    del files[HOME]


@case("toy/bell/index.html: found 2 pages or files for this place; expected one; rename an item or a page")
def page_named_like_an_item(files):
    files["site_src/toy/bell.md"] = "title: Bell\n"


@case(
    "manifest.json: found a file and a folder of this name; expected one of them; rename an item or a page",
    "index.html: found a file and a folder of this name; expected one of them; rename an item or a page",
)
def pages_named_like_files(files):
    files["site_src/manifest.json.md"] = "title: A\n"
    files["site_src/index.html.md"] = "title: B\n"


@case(
    f"{ABOUT} at line 2: found 'title' a second time; expected each key once; keep one",
    f"{ABOUT} at order: found '{'9' * 493} … {'9' * 499}'; expected a whole number",
)
def front_matter_beyond_reason(files):
    files[ABOUT] = f"title: A\ntitle: B\norder: {'9' * 5000}\n"


@case(f"{CELL}: found a rate of 100 Hz; expected at least 4000 Hz")
def clip_too_slow(files):
    file = io.BytesIO()
    soundfile.write(file, np.full(50, 0.5), 100, format="WAV")
    replace_clip(files, file.getvalue())


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A site that was built while all was right."""
    project = write_files(tmp_path_factory.mktemp("right") / "project", small_files())
    assert run_site("build", "--strict", "--project", project).code == 0
    return project / "build"


def snapshot(folder):
    """Every folder, and content and time of every file, what a build keeps for the next one aside."""
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_mtime_ns, path.read_bytes())
        if path.is_file()
        else None
        for path in folder.rglob("*")
        if ".cache" not in path.parts
    }


def lay(files, built, root):
    """Write a project whose output folder holds the site of an earlier build."""
    write_files(root, files)
    shutil.copytree(built, root / "build")
    return root


@pytest.mark.parametrize("name", CASES)
def test_problem_is_told_and_the_previous_build_untouched(name, built, tmp_path):
    change, expected = CASES[name]
    files = small_files()
    change(files)
    project = lay(files, built, tmp_path / "project")
    before = snapshot(project)
    told = run_site("build", "--project", project)
    assert sorted(told.errors) == sorted(expected)
    assert (told.code, told.out) == (1, "")
    assert snapshot(project) == before


@pytest.mark.parametrize("name", CASES)
def test_check_tells_the_same(name, make_site):
    change, expected = CASES[name]
    files = small_files()
    change(files)
    told = run_site("check", "--project", make_site(files))
    assert (told.code, sorted(told.errors)) == (1, sorted(expected))


SEPARATE = (
    "unknown_key_of_the_site",
    "wrong_type",
    "missing_field",
    "an_option_too_few",
    "unknown_key",
    "number_that_does_not_recompute",
    "empty_clip",
    "unknown_blocks",
    "page_in_another_encoding",
)


def test_every_problem_of_every_file_is_told_at_once(built, tmp_path):
    files, expected = small_files(), []
    for name in SEPARATE:
        change, lines = CASES[name]
        change(files)
        # Names of tables cannot be held against a benchmark that is wrong itself.
        expected += [line for line in lines if "::: table" not in line or "benchmark" in line]
    project = lay(files, built, tmp_path / "project")
    before = snapshot(project)
    told = run_site("build", "--project", project)
    assert sorted(told.errors) == sorted(expected)
    assert told.err.splitlines()[-1] == f"{len(expected)} errors"
    assert snapshot(project) == before


def test_mending_what_is_wrong_builds_again(built, tmp_path):
    files = small_files()
    unknown_key(files)
    project = lay(files, built, tmp_path / "project")
    assert run_site("build", "--project", project).code == 1
    write_files(project, {ITEM: small_files()[ITEM]})
    told = run_site("build", "--strict", "--project", project)
    assert (told.code, told.err) == (0, "")


def test_a_warning_stops_a_strict_build_alone(built, tmp_path):
    files = small_files() | {"audio/toy/cascade/left-over.wav": make_clip(100.0)}
    project = lay(files, built, tmp_path / "project")
    before = snapshot(project)
    told = run_site("build", "--strict", "--project", project)
    line = "warning: audio/toy/cascade/left-over.wav: found a clip no results name; remove it\n1 warning\n"
    assert (told.code, told.out, told.err) == (1, "", line)
    assert snapshot(project) == before
    told = run_site("build", "--project", project)
    assert (told.code, told.err) == (0, line)


AWKWARD = "audio/toy/cascade/50% #1 groß & 'klein'?.wav"


def test_a_clip_with_an_awkward_name_is_published(make_site):
    files = small_files()
    files[AWKWARD] = files.pop(CLIP)
    first_cell(files)["clip"]["path"] = AWKWARD
    project = make_site(files)
    assert run_site("build", "--strict", "--project", project).code == 0
    assert run_site("check", "--strict", project / "build").code == 0


def test_markup_in_a_response_is_never_part_of_a_page(make_site):
    files = small_files()
    first_cell(files)["answers"][0]["response"] = "</script><script>alert(1)</script>"
    files[ITEM]["title"] = "<script>alert(2)</script>"
    project = make_site(files)
    assert run_site("build", "--strict", "--project", project).code == 0
    pages = [path.read_text(encoding="utf-8") for path in (project / "build").rglob("*.html")]
    assert not any("<script>alert" in page for page in pages)


USAGE = {
    "no such project": ("build", "--project", "nowhere"),
    "no such site": ("check", "nowhere"),
    "a file as project": ("build", "--project", "file"),
    "a file as output": ("build", "--output", "file"),
    "a loop of links as project": ("build", "--project", "loop"),
    "no jobs": ("build", "--jobs", "0"),
    "unknown option": ("build", "--stric"),
    "unknown command": ("biuld",),
    "unknown schema": ("schema", "page"),
    "port out of range": ("serve", "--port", "65536"),
    "no folder to make": ("new",),
}


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A working directory with a file, a folder and a loop of links in it."""
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", USAGE.values(), ids=USAGE)
def test_usage_mistake_ends_with_2_and_a_hint(words, desk):
    told = run_site(*words)
    assert told.code == 2
    assert "Usage: " in told.err
    assert "Error: " in told.err
    assert sorted(path.name for path in desk.iterdir()) == ["empty", "file", "loop"]


def test_an_empty_project_is_told(desk):
    told = run_site("build", "--project", "empty")
    (error,) = told.errors
    assert error.startswith(f"{(desk / 'empty').as_posix()}: found no site_src here; expected a project; ")
    assert list((desk / "empty").iterdir()) == []


def test_a_folder_without_a_site_is_told(tmp_path):
    told = run_site("check", tmp_path)
    assert told.code == 1
    expected = f"{tmp_path}: found no index.html; expected a built site; build it: torus-site build"
    assert told.errors == [expected]


OUTPUTS = {
    "project": "a folder the site is made from",
    ".": "a folder the site is made from",
    "project/site_src/out": "a folder the site is made from",
    "project/audio": "a folder the site is made from",
    "other": "a folder with files this tool did not write",
    "loop": "a file",
    "file/out": "file exists",
    "loop/out": "file exists",
}


@pytest.mark.parametrize("output", OUTPUTS)
def test_output_that_cannot_be_is_told(output, desk):
    write_files(desk / "project", small_files())
    write_files(desk / "other", {"thesis.tex": "years of work"})
    before = snapshot(desk)
    told = run_site("build", "--project", "project", "--output", output)
    assert told.code == 1
    (line,) = told.errors
    assert line.startswith(f"{(desk / output).as_posix()}: found {OUTPUTS[output]}; expected ")
    assert snapshot(desk) == before


def test_a_file_in_the_place_of_the_cache_is_told(make_site):
    project = make_site(small_files() | {".cache": ""})
    told = run_site("build", "--project", project)
    assert told.code == 1
    assert told.errors == [
        f"{project}/.cache/media: found not a directory; expected a file or folder that can be used"
    ]


def test_links_in_a_circle_do_no_harm(make_site):
    project = make_site(small_files())
    (project / "results/toy/again").symlink_to(".")
    (project / "results/toy/circle").symlink_to("circle")
    (project / "site_src/here").symlink_to(".")
    assert run_site("build", "--strict", "--project", project).code == 0


def test_a_page_that_is_a_dead_link_is_told(make_site):
    project = make_site(small_files())
    (project / "site_src/lost.md").symlink_to("nowhere.md")
    told = run_site("build", "--project", project)
    assert told.errors == [
        "site_src/lost.md: found no such file or directory; expected a file that can be read"
    ]


@pytest.fixture
def need_rights(tmp_path):
    """Skip where the rights of a file do not bind, as for root."""
    secret = tmp_path / "secret"
    secret.touch(mode=0)
    if os.access(secret, os.R_OK):
        pytest.skip("this user may read anything")


@pytest.mark.usefixtures("need_rights")
@pytest.mark.parametrize("name", ["", "site_src", "site_src/toy", "results/toy", "audio/toy/cascade", CLIP])
def test_what_cannot_be_read_is_told(name, make_site):
    project = make_site(small_files())
    (project / name).chmod(0)
    told = run_site("build", "--project", project)
    (project / name).chmod(0o700)
    assert told.code == (1 if name else 2)
    assert "permission denied" in told.err or "not readable" in told.err


@pytest.mark.usefixtures("need_rights")
def test_an_output_without_rights_is_told(make_site, tmp_path):
    project, shut = make_site(small_files()), tmp_path / "shut"
    shut.mkdir(mode=0o500)
    told = run_site("build", "--project", project, "--output", shut / "out")
    assert told.errors == [f"{shut}/out: found permission denied; expected a folder that can be written"]
    assert list(shut.iterdir()) == []


@pytest.mark.parametrize("epoch", ["yesterday", "1.5", "9" * 20])
def test_a_fixed_clock_that_is_none_is_told(epoch, make_site, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    told = run_site("build", "--project", make_site(small_files()))
    assert told.errors == [
        f"SOURCE_DATE_EPOCH: found '{epoch}'; expected seconds since 1970 as a whole number"
    ]


@pytest.mark.parametrize("name", [SITE, DESCRIPTOR, ITEM, RUN, ABOUT])
def test_a_pipe_in_the_place_of_a_file_is_told(name, make_site):
    project = make_site(small_files())
    (project / name).unlink(missing_ok=True)
    os.mkfifo(project / name)
    told = run_site("build", "--project", project)
    assert told.code == 1
    assert any(line.startswith(f"{name}: found no ordinary file; ") for line in told.errors)


def test_a_page_whose_name_is_no_text_is_told(make_site):
    project = make_site(small_files())
    (project / "site_src" / os.fsdecode(b"\xff.md")).write_text("title: A\n")
    (project / "site_src/toy/tests" / os.fsdecode(b"\xfe.toml")).write_bytes((project / ITEM).read_bytes())
    told = run_site("build", "--project", project)
    assert told.errors == [
        "site_src/toy/tests/\\udcfe.toml at /id: found 'bell'; expected '\\udcfe'; the id is the file's name",
        "site_src/\\udcff.md: found signs no address can hold; expected a name of letters; rename the file",
    ]


@pytest.mark.parametrize("body", ['{% extends "page.html" %}', '{% include "page.html" %}'])
def test_a_template_that_calls_itself_is_told(body, make_site):
    project = make_site(small_files() | {"templates/page.html": body})
    told = run_site("build", "--project", project)
    assert told.code == 1
    assert told.errors[0].startswith("templates/page.html at line 1: found maximum recursion depth")


def test_an_output_that_a_link_puts_among_the_inputs_is_told(make_site):
    project = make_site(small_files())
    (project / "door").symlink_to("site_src")
    told = run_site("build", "--project", project, "--output", project / "door/out")
    assert told.code == 1
    assert "found a folder the site is made from" in told.errors[0]
