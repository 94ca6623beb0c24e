import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { judge, makeHome, program, timeCpu } from './process.js'

// Measures --each on a model that answers at once: CPU per record, memory, and the same work by a process a record.
const many = 10_000
const few = 1_000
const processes = 40
const setup = makeHome('http://127.0.0.1:9')
const script = join(setup.home, 'script.json')
writeFileSync(script, JSON.stringify({ version: 1, rounds: [{ blocks: [{ type: 'text', text: 'ok' }] }] }))
mkdirSync(join(setup.home, 'work'))
const model = `replay/${script}`
const each = [program, '-m', model, '--each', '-j', '8', 'say {}']

/** Runs --each over so many lines. Returns its CPU time in milliseconds and the largest resident memory in MB. */
async function measure(lines) {
  const input = join(setup.home, `${lines}.txt`)
  writeFileSync(input, Array.from({ length: lines }, (_, i) => `${i}\n`).join(''))
  const child = spawn(process.execPath, each, {
    cwd: join(setup.home, 'work'),
    env: setup.env,
    stdio: [openSync(input, 'r'), 'pipe', 'inherit'],
  })
  let answers = 0
  let last = { cpuMs: 0, peakMb: 0 }
  child.stdout.on('data', (piece) => {
    for (const byte of piece) if (byte === 10) answers += 1
    last = readUse(child.pid) ?? last
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0 || answers !== lines) throw new Error(`ended with ${code} after ${answers} answers`)
  return last
}

/** Reads what a process has used so far; `undefined` once it is gone. */
function readUse(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, peakMb: Number(peak ?? 0) / 1024 }
  } catch {
    return undefined
  }
}

const small = await measure(few)
const large = await measure(many)
const perRecord = (large.cpuMs - small.cpuMs) / (many - few)
const line = `seq ${processes} | xargs -P 8 -I{} "$0" "$1" -m "$2" "say {}" >/dev/null`
const xargsMs = await timeCpu(['-e', spawnLine(line)], setup)
setup.remove()

/** A program that runs a line of bash, so that its CPU time counts as that of a child. */
function spawnLine(text) {
  const args = JSON.stringify(['-c', text, process.execPath, program, model])
  return `process.exitCode = require('node:child_process').spawnSync('bash', ${args}, { stdio: 'inherit' }).status`
}

judge('each: CPU per record', perRecord, 3, ' ms')
judge(`each: peak memory of ${many} records beside ${few}`, large.peakMb / small.peakMb, 1.5, 'x')
judge('each: CPU per record beside xargs -P 8', perRecord / (xargsMs / processes), 0.1, 'x')
