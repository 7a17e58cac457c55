"""The file system decides about the journal: looked up in the system's mount table."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram_hooks.store import mounts

TABLE = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:35 / /mnt/c rw,noatime - 9p drvfs rw,dirsync,aname=drvfs;path=C:\134
41 22 0:36 / /mnt/wsl/binds/x rw - virtiofs v rw
42 41 8:17 / /mnt/wsl/binds/x/inner rw - ext4 /dev/sdb1 rw
43 22 0:40 / /net/home rw shared:4 master:1 - nfs4 srv.example.invalid:/export rw,vers=4.2
44 22 0:41 / /media/My\040Share rw - cifs //srv.example.invalid/s rw
45 22 0:42 / /home/mac rw - fuse.osxfs osxfs rw
46 22 0:43 / /tmp rw - tmpfs tmpfs rw
47 22 0:44 / /srv/w rw - overlay overlay rw,lowerdir=a,upperdir=b
48 22 0:45 / /data rw - ext4 /dev/sdc1 rw
49 48 0:46 / /data rw - vboxsf share rw
50 22 0:47 / /ünïcode rw - smb3 //srv/s rw
51 22 0:47 / /odd\134040name rw - nfs srv:/e rw
half a line - nfs
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        pytest.param("/mnt/c/Users/dev/.engram", "9p", id="windows drive in WSL 2"),
        pytest.param("/mnt/wsl/binds/x/db", "virtiofs", id="bind mount"),
        pytest.param("/net/home/dev/.engram", "nfs4", id="with optional fields"),
        pytest.param("/media/My Share/e", "cifs", id="space in the mount point"),
        pytest.param("/home/mac/.engram", "fuse.osxfs", id="fuse"),
        pytest.param("/data/e", "vboxsf", id="mounted over"),
        pytest.param("/data", "vboxsf", id="the mount point itself"),
        pytest.param("/ünïcode/e", "smb3", id="other letters"),
        pytest.param("/odd\\040name/e", "nfs", id="an escaped backslash is no second escape"),
    ],
)
def test_shared_file_system_is_found(path: str, kind: str) -> None:
    assert mounts.find_type(path, TABLE) == kind
    assert mounts.is_shared(kind)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        pytest.param("/var/lib/e", "ext4", id="root"),
        pytest.param("/mnt/wsl/binds/x/inner/db", "ext4", id="native inside a bind mount"),
        pytest.param("/mnt/cache/x", "ext4", id="begins like another mount point"),
        pytest.param("/mnt/wsl/binds/xy", "ext4", id="name continues the mount point's"),
        pytest.param("/tmp/e", "tmpfs", id="memory"),
        pytest.param("/srv/w/e", "overlay", id="container layer"),
    ],
)
def test_local_file_system_stays_local(path: str, kind: str) -> None:
    assert mounts.find_type(path, TABLE) == kind
    assert not mounts.is_shared(kind)


@pytest.mark.parametrize("kind", ["xfs", "btrfs", "apfs", "zfs", "ext3", "fuseblk", ""])
def test_types_of_local_disks_are_not_shared(kind: str) -> None:
    assert not mounts.is_shared(kind)


def test_unreadable_table_means_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "TABLE", str(tmp_path / "none"))
    assert mounts.find_shared_type("/anything") == ""


def test_path_is_resolved_before_the_look_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "share")
    table = tmp_path / "mountinfo"
    table.write_text(
        f"1 0 8:1 / / rw - ext4 a rw\n2 1 0:1 / {tmp_path}/share rw - nfs b rw\n", encoding="utf-8"
    )
    monkeypatch.setattr(mounts, "TABLE", str(table))
    assert mounts.find_shared_type(str(tmp_path / "link" / "data")) == "nfs"
    assert mounts.find_shared_type(str(tmp_path / "data")) == ""


def test_network_name_is_a_network_share() -> None:
    assert mounts.find_shared_type("\\\\server\\share\\engram") == "network share"
