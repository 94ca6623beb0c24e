import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { judge, makeHome, program } from './process.js'
import { open } from './screen.js'

// Measures how long a key waits while a file is completed in a folder of 100,000 files: the p95 and the worst time from a key to its echo,
// beside those of plain words on the same screen.

const folders = 1_000
const filesEach = 100
const queries = ['file-77', 'part9', 'src', 'e.ts', 'zzz']

const setup = makeHome('http://127.0.0.1:9')
for (let i = 0; i < folders; i++) {
  const folder = join(setup.home, 'src', `part${i % 20}`, `module-${i}`)
  mkdirSync(folder, { recursive: true })
  for (let j = 0; j < filesEach; j++) writeFileSync(join(folder, `file-${j}.ts`), '')
}

const screen = open(process.execPath, [program, '-m', 'bench/m'], setup)
await screen.until('›')
await wait(500)

/** Types a letter and waits until the draft ends in `text`. Returns the milliseconds between. */
async function typed(letter, text) {
  const pressed = performance.now()
  let tail = ''
  await new Promise((resolve) => {
    const seen = (data) => {
      tail = (tail + data).slice(-20_000)
      if (!tail.includes(`${text}\x1b`)) return
      screen.listeners.delete(seen)
      resolve()
    }
    screen.listeners.add(seen)
    screen.child.write(letter)
  })
  return performance.now() - pressed
}

/** Types words letter by letter, and removes each afterwards. Returns the sorted times. */
async function measure(words) {
  const times = []
  for (const word of words) {
    for (let i = 1; i <= word.length; i++) {
      times.push(await typed(word[i - 1], word.slice(0, i)))
      await wait(25)
    }
    screen.child.write('\x15')
    await wait(100)
  }
  return times.sort((a, b) => a - b)
}

const words = queries.map((query) => `@${query}`)
const plain = await measure(queries.map((query) => `+${query}`))
const first = await measure(words)
await wait(3_000)
const rounds = []
for (let i = 0; i < 3; i++) rounds.push(...(await measure(words)))
rounds.sort((a, b) => a - b)
screen.child.kill('SIGKILL')
setup.remove()

const p95 = (times) => times[Math.floor(times.length * 0.95)]
console.log(`complete: plain words, p95: ${p95(plain).toFixed(1)} ms, worst ${plain.at(-1).toFixed(1)} ms`)
console.log(
  `complete: while the files are read, p95: ${p95(first).toFixed(1)} ms, worst ${first.at(-1).toFixed(1)} ms`,
)
console.log(
  `complete: among 100,000 files, p95: ${p95(rounds).toFixed(1)} ms, worst ${rounds.at(-1).toFixed(1)} ms`,
)
judge(
  'complete: a key among 100,000 files beside one of plain words, p95',
  p95(rounds) - p95(plain),
  8,
  ' ms',
)
process.exit()
