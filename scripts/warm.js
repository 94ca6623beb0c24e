import { statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { serveModel, ways } from './warm-model.js'

// Runs a built program once, in its own process, against its own model. `list` prints the names of the chunks that it loaded; `cache`
// writes V8's code cache beside each file. Runs that share a home continue one conversation.

const [, , folder, home, task, way] = process.argv
const require = createRequire(import.meta.url)
const createLoader = require('../bin/chunks.js')
const { leastCached } = require('../bin/kept-code.js')

/** Adds to the caches of earlier runs. That of the start, which every run reads, holds code for the usual ways only. */
function cache(scripts) {
  const isUsual = way === 'calls' || way === 'continue'
  for (const [file, script] of scripts) {
    if (basename(file) === createLoader.startFile && !isUsual) continue
    if (statSync(file).size < leastCached) continue
    writeFileSync(createLoader.cacheOf(file), script.createCachedData())
  }
}

const { env, close } = await serveModel(home, way)
try {
  Object.assign(process.env, env)
  process.chdir(home)
  process.argv = [process.argv[0], 'pipe', ...ways[way]]
  const scripts = new Map()
  const load = createLoader(folder, (file, script) => scripts.set(file, script))
  await load('cli.js').main()
  if (process.exitCode !== 0) throw new Error(`the built program ended with ${process.exitCode}`)
  if (task === 'list') console.log([...scripts.keys()].map((file) => basename(file)).join('\n'))
  else cache(scripts)
} finally {
  close()
}
