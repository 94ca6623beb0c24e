import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { judge, makeHome, median, program } from './process.js'

// Measures how long `pipe permissions check` takes per command line: 2,000 different lines, minus the time for a single one.
const count = 2_000
const runs = 5
const lines = [
  (i) => `ls -la src/${i}`,
  (i) => `git log --oneline -${i} | head -${i}`,
  (i) => `cd /home/user/proj && npm test -- --grep "case ${i}" 2>&1 | tail -20`,
  (i) => `for f in *.${i}; do rm "$f"; done`,
  (i) => `grep -rn "thing ${i}" --include='*.ts' . && echo $(cat a${i}.txt)`,
  (i) => `cat <<'EOF' > out${i}.txt\nsome text\nEOF`,
]
const rules = { allow: ['Bash(npm test:*)'], deny: ['Bash(rm:*)', 'Read(.env)', 'Edit(src/**)'] }
const home = makeHome('http://127.0.0.1:9')

function time(some) {
  const input = some
    .map((command) => `${JSON.stringify({ tool: 'bash', input: { command }, rules, cwd: home.home })}\n`)
    .join('')
  const started = process.hrtime.bigint()
  const { status, stdout } = spawnSync(process.execPath, [join(program), 'permissions', 'check'], {
    cwd: home.home,
    env: home.env,
    input,
    maxBuffer: 1 << 28,
  })
  if (status !== 0 || String(stdout).trim().split('\n').length !== some.length)
    throw new Error('not all were judged')
  return Number(process.hrtime.bigint() - started) / 1e6
}

const all = Array.from({ length: count }, (_, i) => lines[i % lines.length](i))
const costs = Array.from({ length: runs }, () => (time(all) - time(all.slice(0, 1))) / (count - 1))
home.remove()
judge('judge: a line of bash', median(costs), 0.5, ' ms')
