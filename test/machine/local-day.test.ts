import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const module = join(import.meta.dirname, '../../src/machine/local-day.ts')
const noon = Date.UTC(2026, 10, 30, 12)

it.each([
  ['UTC', '2026-11-30'],
  ['Pacific/Kiritimati', '2026-12-01'],
  ['Pacific/Honolulu', '2026-11-30'],
])('the day at noon UTC in %s', (zone, day) => {
  const source = execFileSync(join(import.meta.dirname, '../../node_modules/.bin/esbuild'), [
    '--format=esm',
    module,
  ])
  const script = `${source.toString()}\nconsole.log(localDay(${noon}))`
  const run = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: { TZ: zone } })
  expect(run.toString()).toBe(`${day}\n`)
})
