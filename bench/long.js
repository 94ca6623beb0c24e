import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chunk } from './model-server.js'
import { judge, makeHome, program } from './process.js'
import { echoKey, open } from './screen.js'

// Measures the terminal UI during a very long answer, streamed as fast as it is read: the peak memory, the time from a key to its echo
// until two seconds after the end, and the longest frame: how long the event loop stood still.

const words = 'lorem ipsum dolor sit amet '
const lineOf = (length) => words.repeat(Math.ceil(length / words.length)).slice(0, length)
const answers = {
  'a line of 300 KB': lineOf(300_000),
  '300 KB without a space': 'x'.repeat(300_000),
  '300 KB of wide text': '日本語と🙂'.repeat(50_000),
  '300 KB of code': `\`\`\`ts\n${lineOf(300_000)}\n\`\`\``,
  '20,000 lines': Array.from({ length: 20_000 }, (_, i) => `line ${i}`).join('\n'),
  '20,000 lines of code': `\`\`\`\n${Array.from({ length: 20_000 }, (_, i) => `a${i} = ${i}`).join('\n')}\n\`\`\``,
  'a line of 5 MB': lineOf(5_000_000),
}
const deltaLength = 1_000

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (piece) => {
    body += piece
  })
  request.on('end', async () => {
    if (request.method !== 'POST') return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const said = JSON.stringify(JSON.parse(body).messages.at(-1).content)
    const answer = answers[Object.keys(answers).find((one) => said.includes(one))] ?? 'Hello.'
    for (let at = 0; at < answer.length; at += deltaLength) {
      response.write(chunk({ content: answer.slice(at, at + deltaLength) }))
      if (at % (5 * deltaLength) === 0) await wait(1)
    }
    response.end(`${chunk({ content: '\n\nThat was all.' })}${chunk({}, 'stop')}data: [DONE]\n\n`)
  })
})

async function measure(name) {
  const env = { ...setup.env, STALL_FILE: join(setup.home, 'stall') }
  const probe = join(import.meta.dirname, 'stall-probe.js')
  const screen = open(process.execPath, ['--import', probe, program, '-m', 'bench/m'], { ...setup, env })
  await screen.until('›')
  screen.child.write('say hello\r')
  await screen.until('That was all.')
  await wait(300)
  await stallOf(screen, env)
  screen.child.write(`say ${name}\r`)
  // With a key behind it, Enter is a line of something pasted.
  await screen.until('Esc stops')
  let until = Number.POSITIVE_INFINITY
  const ended = screen.until('That was all.').then(() => {
    until = performance.now() + 2_000
  })
  const times = []
  while (performance.now() < until) {
    times.push(await echoKey(screen))
    await wait(30)
  }
  await ended
  const stall = await stallOf(screen, env)
  const status = readFileSync(`/proc/${screen.child.pid}/status`, 'utf8')
  screen.child.kill('SIGKILL')
  times.sort((a, b) => a - b)
  return {
    slow: times[Math.floor(times.length * 0.95)],
    slowest: times.at(-1),
    stall,
    peak: Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1024,
  }
}

/** The longest stop of the program's event loop since the last call, in milliseconds. */
async function stallOf({ child }, { STALL_FILE }) {
  rmSync(STALL_FILE, { force: true })
  child.kill('SIGUSR2')
  while (!existsSync(STALL_FILE) || readFileSync(STALL_FILE, 'utf8') === '') await wait(5)
  return Number(readFileSync(STALL_FILE, 'utf8'))
}

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const setup = makeHome(`http://127.0.0.1:${server.address().port}`)
for (const name of Object.keys(answers)) {
  const { slow, slowest, stall, peak } = await measure(name)
  judge(`tui: key to echo at ${name}, p95`, slow, 50, ' ms')
  judge(`tui: slowest key to echo at ${name}`, slowest, 100, ' ms')
  judge(`tui: longest frame at ${name}`, stall, 50, ' ms')
  judge(`tui: peak memory at ${name}`, peak, 300, ' MB')
}
setup.remove()
server.close()
process.exit()
