import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../support/programs/world.ts'

it('finds the table of settings as their schema is now', async () => {
  const args = ['scripts/generate-settings.js', '--check']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  expect(stdout).toBe('docs/settings.md is up to date\nsrc/config/setting-facts.generated.ts is up to date\n')
})
