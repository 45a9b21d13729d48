"""Tells scikit-build-core which packages the wheel needs: above all the torch that its programs link."""

from importlib.metadata import PackageNotFoundError, version


def dynamic_metadata(settings, project):
    """Returns the requirements: any release of the minor version of torch that builds the wheel, and numpy."""
    try:
        major, minor = version("torch").split(".")[:2]
    except PackageNotFoundError:
        raise RuntimeError(
            "building mpsbench needs torch in this environment: pip install torch scikit-build-core, "
            "then pip wheel --no-build-isolation"
        ) from None
    return {"dependencies": [f"torch=={major}.{minor}.*", "numpy"]}
