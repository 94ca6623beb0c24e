import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer } from './model-server.js'
import { judge, makeHome, median, program, time, timeCpu } from './process.js'

// Measures what language servers cost: a start where none is installed, a start where one is, and an edit with one. The server of the edits
// answers at once, so that its own time does not count.

const script = join(import.meta.dirname, '..', 'test', 'support', 'lsp', 'scripted-server.js')
const starts = 15
const few = 20
const many = 120
const runs = 5

/** Opens a trusted project of TypeScript with these settings, and perhaps its server. */
function openProject(host, settings, isInstalled) {
  const setup = makeHome(host, settings)
  writeFileSync(join(setup.home, 'tsconfig.json'), '{}')
  const bin = join(setup.home, '..', `${setup.home}-bin`)
  mkdirSync(join(bin, 'node_modules/typescript/lib'), { recursive: true })
  writeFileSync(join(bin, 'node_modules/typescript/lib/tsserver.js'), '')
  if (isInstalled) {
    writeFileSync(join(bin, 'typescript-language-server'), '#!/bin/sh\n')
    chmodSync(join(bin, 'typescript-language-server'), 0o755)
  }
  setup.env.PATH = `${bin}:/usr/bin:/bin`
  return setup
}

/** Compares the processor time of starts with that of a run without language servers. */
async function ratioOfStarts(isInstalled) {
  const model = await startModelServer()
  const off = openProject(model.host, { lsp: false }, isInstalled)
  const on = openProject(model.host, {}, isInstalled)
  const args = [program, '--trust', '-m', 'bench/m', 'say ok']
  const ratios = []
  for (let run = -1; run < starts; run++) {
    const bare = await timeCpu(args, off)
    const ms = await timeCpu(args, on)
    if (run >= 0) ratios.push(ms / bare)
  }
  model.close()
  off.remove()
  on.remove()
  return median(ratios)
}

/** Returns the milliseconds of an edit: what starts and ends a run cancels out. */
async function timeEdit(settings) {
  const [short, long] = [await timeEdits(few, settings), await timeEdits(many, settings)]
  return (long - short) / (many - few)
}

async function timeEdits(rounds, settings) {
  const lines = (round) => Array.from({ length: 200 }, (_, i) => `line ${i} of ${round}`).join('\n')
  const model = await startModelServer({
    rounds,
    callOf: (round) => ({ name: 'write', args: { path: 'a.odd', content: lines(round) } }),
  })
  const setup = makeHome(model.host, settings)
  const ms = await time([program, '--trust', '--yolo', '--no-session', '-m', 'bench/m', 'go'], setup)
  model.close()
  setup.remove()
  return ms
}

judge('lsp: a start with none installed / switched off', await ratioOfStarts(false), 1.05, 'x')
judge('lsp: a start with one installed / switched off', await ratioOfStarts(true), 1.15, 'x')

const odd = { command: [process.execPath, script], extensions: ['.odd'] }
const [within, without] = [[], []]
for (let i = 0; i < runs; i++) {
  without.push(await timeEdit({ lsp: false }))
  within.push(await timeEdit({ lsp: { odd } }))
}
const [bare, watched] = [median(without), median(within)]
console.log(
  `lsp: an edit takes ${bare.toFixed(2)} ms, and ${watched.toFixed(2)} ms with a server that answers at once`,
)
judge('lsp: an edit with a server / without', watched / bare, 2, 'x')
