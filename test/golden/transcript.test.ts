import { readFileSync, writeFileSync } from 'node:fs'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectRun } from '../support/programs/program.ts'
import { readLines } from '../support/programs/stream-lines.ts'
import { openWorld } from '../support/programs/world.ts'
import { scenarios } from './scenarios.ts'
import { transcribe } from './transcript.ts'

it.each(scenarios)('$name matches its transcript', async ({ name, flags, files, prompt, rounds }) => {
  const { pipe, put, home, cwd } = await openWorld()
  for (const [age, [path, content]] of Object.entries(files).entries()) {
    await put(path, content)
    await utimes(join(cwd, path), age, age)
  }
  const script = join(home, 'script.json')
  await writeFile(script, JSON.stringify({ version: 1, rounds: rounds.map((blocks) => ({ blocks })) }))
  const run = await pipe(['-m', `replay/${script}`, ...flags, '-q', '-o', 'stream-json', prompt])
  expectRun(run, { stdout: expect.any(String) })
  const transcript = transcribe(readLines(run.stdout), cwd)
  const path = join(import.meta.dirname, `${name}.txt`)
  if (process.env['UPDATE'] === '1') writeFileSync(path, transcript)
  expect(transcript).toBe(readFileSync(path, 'utf8'))
})
