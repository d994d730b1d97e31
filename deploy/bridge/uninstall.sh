#!/bin/sh
# Ends the bridge's service and removes it. Run it as root.
set -eu
systemctl disable --now tambayan-bridge
rm -f /etc/systemd/system/tambayan-bridge.service
systemctl daemon-reload
echo 'The bridge no longer runs. Its files are still here.'
