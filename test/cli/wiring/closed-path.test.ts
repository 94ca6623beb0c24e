import { describe, expect, it } from 'vitest'
import { explainClosedPath } from '../../../src/cli/wiring/closed-path.ts'
import { PipeError } from '../../../src/error.ts'
import { fileError } from '../../../src/files/system-error.ts'

const machine = { env: { PIPE_HOME: '/data/pipe' }, home: '/home/ann' }
const closed = (path: string) => fileError(Object.assign(new Error('no'), { code: 'EACCES' }), path, 'open')
const explained = (error: unknown) => explainClosedPath(error, machine)

describe('the refusal of a file by the system', () => {
  it('is a fault of the input, with what to do about a folder of pipe', () => {
    const advice = '; make the folder yours, or set another one with PIPE_HOME'
    for (const [path, more] of [
      ['/data/pipe', advice],
      ['/data/pipe/tasks/events.lock', advice],
      ['/data/piped', ''],
      ['/etc/x.md', ''],
    ] as const)
      expect(explained(closed(path))).toMatchObject({
        code: 'input',
        message: `cannot open ${path}: permission denied${more}`,
        details: { path, reason: 'EACCES' },
      })
  })

  it('is told from what a rule or the user refuses, and from other errors', () => {
    const refused = new PipeError('permission', 'the user said no')
    const missing = new PipeError('not_found', 'nothing there', { details: { reason: 'ENOENT' } })
    for (const error of [refused, missing, new Error('EACCES'), undefined])
      expect(explained(error)).toBe(error)
  })
})
