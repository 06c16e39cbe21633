from __future__ import annotations

import subprocess
import sys

import pytest

from torus_site import stats


def loaded_after(statement: str) -> set[str]:
    """Run a statement in a fresh interpreter and list the modules it loaded."""
    code = f"{statement}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_loads_none_of_its_modules_and_not_numpy():
    loaded = loaded_after("import torus_site.stats")
    assert "numpy" not in loaded
    assert not {name for name in loaded if name.startswith("torus_site.stats.")}


@pytest.mark.parametrize("module", ["intervals", "rates", "agreement", "headtohead", "ranks"])
def test_what_only_counts_does_without_numpy(module):
    assert "numpy" not in loaded_after(f"import torus_site.stats.{module}")


def test_every_public_name_loads_from_its_home_and_is_listed():
    for name in stats.__all__:
        assert getattr(stats, name).__module__ == f"torus_site.stats.{stats._HOMES[name]}"
    assert stats.__all__ == sorted(stats._HOMES)
    assert set(stats.__all__) <= set(dir(stats))


def test_a_name_is_loaded_once():
    vars(stats).pop("Rate", None)
    first = stats.Rate
    assert vars(stats)["Rate"] is first


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"'torus_site\.stats' has no attribute 'mean'"):
        _ = stats.mean
