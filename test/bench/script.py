"""What a script of an afternoon does: list the catalog, read the files, diff what they manage.

Needs requests, PyYAML with libyaml, and jsonpatch. Argument: the folder of the files; the catalog is
CONTRACT_SYNC_URL.
"""

import os
import sys

import jsonpatch
import requests
import yaml

session = requests.Session()
live = {}
after = "0"
while after is not None:
    parameters = {"limit": 1000, "after": after}
    page = session.get(os.environ["CONTRACT_SYNC_URL"] + "/v1/dataContracts", params=parameters).json()
    live.update((contract["id"], contract) for contract in page["data"])
    after = page["paging"].get("after")

changed = 0
for name in os.listdir(sys.argv[1]):
    with open(os.path.join(sys.argv[1], name), encoding="utf-8") as file:
        desired = yaml.load(file, yaml.CSafeLoader)
    managed = {field: live[desired["id"]].get(field) for field in desired}
    changed += bool(jsonpatch.make_patch(managed, desired).patch)
print(len(live), "contracts,", changed, "to update")
