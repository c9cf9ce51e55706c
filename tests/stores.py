"""Both places where pictures are kept, real: a folder, and a server that speaks S3."""

import re
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer

from tests.conftest import forget_settings

SECRETS = {"aws_access_key_id": "someone", "aws_secret_access_key": "a secret", "region_name": "eu-west-3"}


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    """A real server that speaks S3."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(params=["folder", "s3"])
def store(request: pytest.FixtureRequest, environment: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """An empty store of each kind in turn. Its value says which."""
    if request.param == "s3":
        endpoint: str = request.getfixturevalue("s3")
        bucket = re.sub(r"[^a-z0-9]+", "-", tmp_path.name.lower()).strip("-")
        boto3.client("s3", endpoint_url=endpoint, **SECRETS).create_bucket(
            Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "eu-west-3"}
        )
        environment.setenv("CLUB_MEDIA_URL", f"s3://{bucket}/le/club")
        for name, value in SECRETS.items():
            environment.setenv({"region_name": "AWS_REGION"}.get(name, name.upper()), value)
        environment.setenv("AWS_ENDPOINT_URL", endpoint)
    else:
        environment.setenv("CLUB_MEDIA_URL", (tmp_path / "dossier d'images").as_uri())
    forget_settings()
    return request.param
