import { describe } from 'vitest'
import { byDefault } from '../../../support/permission/judged-lines.ts'

describe('system', () => {
  byDefault.allows('only shows how the machine is', [
    'systemctl status nginx --no-pager',
    'systemctl is-active nginx',
    'systemctl list-units --type=service --state running',
    'journalctl -u nginx -n 50 --no-pager',
    'journalctl --since "1 hour ago" -p err',
    'lsof -i :3000',
    'lsof -ti:3000 -sTCP:LISTEN',
    'lsof -nP -iTCP -p 123',
    'ss -tlnp',
    'ss -o state established',
    'netstat -tulpn | grep 3000',
    'dmesg -T | tail',
    'ip addr',
    'ip -br link show',
    'ip route get 1.1.1.1',
    'lscpu',
    'lsblk -f',
    'locale -a',
  ])

  byDefault.asks('changes the machine, writes a file, or looks at another machine', [
    'systemctl restart nginx',
    'systemctl --host other status nginx',
    'systemctl status nginx -H other',
    'systemctl show nginx',
    'journalctl --vacuum-time=1d',
    'journalctl --rotate',
    'journalctl -D /var/other',
    'journalctl --file other.journal',
    'lsof -i -D b',
    'lsof -s -Db',
    'lsof -Db -i',
    'ss -K dst 10.0.0.1',
    'ss -tK',
    'ss --kill',
    'ss -D sockets',
    'ss -F filter',
    'dmesg -C',
    'dmesg --clear',
    'dmesg -n 1',
    'ip link set eth0 down',
    'ip -b commands',
    'ip netns exec other sh',
    'ip addr add 10.0.0.2/24 dev eth0',
    'ip route flush all',
    'ip -s',
  ])
})
