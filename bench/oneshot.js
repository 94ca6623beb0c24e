import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { judge, makeHome, median, program, run } from './process.js'

// Compares forms of a one-shot with the plain one, whose model is scripted too. They run in turn, so that a slow moment hits all.
const runs = 15
const setup = makeHome('http://127.0.0.1:9')
const script = join(setup.home, 'script.json')
const text = 'Here:\n\n```json\n{"name": "Ada", "age": 36}\n```'
const round = { blocks: [{ type: 'text', text }] }
writeFileSync(script, JSON.stringify({ version: 1, rounds: [round, round] }))
const notes = join(setup.home, 'notes.txt')
writeFileSync(notes, 'a line of notes\n'.repeat(16_000))

/** Highest accepted ratio to the plain one-shot, by form. A line of bash in which "$@" is the one-shot. */
const forms = {
  plain: ['"$@" hi </dev/null', 1],
  '-o json': ['"$@" -o json hi </dev/null', 1.1],
  '-o stream-json': ['"$@" -o stream-json hi </dev/null', 1.15],
  '-x': ['"$@" -x json hi </dev/null', 1.1],
  '--json-schema': [`"$@" --json-schema 'name, age int' hi </dev/null`, 1.15],
  '--check true': ['"$@" --check true hi </dev/null', 1.6],
  '--protocol claude': ['"$@" --protocol claude -o json hi </dev/null', 1.15],
  '256 kB on stdin': [`"$@" hi <${notes}`, 1.3],
  'an envelope to another': ['"$@" -o pipe hi </dev/null | "$@" go', 2.3],
}

const ratios = Object.fromEntries(Object.keys(forms).map((name) => [name, []]))
for (let at = -1; at < runs; at++) {
  let plain = 0
  for (const [name, [line]] of Object.entries(forms)) {
    const { ms } = await run(
      'bash',
      ['-c', line, 'bash', process.execPath, program, '-m', `replay/${script}`],
      setup,
    )
    if (name === 'plain') plain = ms
    if (at >= 0) ratios[name].push(ms / plain)
  }
}
setup.remove()
for (const [name, [, target]] of Object.entries(forms)) {
  if (name !== 'plain') judge(`one-shot: ${name} / plain`, median(ratios[name]), target, 'x')
}
