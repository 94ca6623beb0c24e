import { describe, expect, it } from 'vitest'
import { readEnvironment } from '../../src/config/environment.ts'
import { thrown } from '../support/thrown.ts'

describe('the environment', () => {
  it('sets the model and the mode in separate layers', () => {
    const env = { PIPE_MODEL: 'mine/big:high', PIPE_PERMISSION_MODE: 'plan', PIPE_HOME: '/x' }
    expect(readEnvironment(env)).toEqual([
      { source: { type: 'environment', name: 'PIPE_MODEL' }, settings: { model: 'mine/big:high' } },
      {
        source: { type: 'environment', name: 'PIPE_PERMISSION_MODE' },
        settings: { permissions: { mode: 'plan' } },
      },
    ])
  })

  it('names the database of tasks', () => {
    const url = 'postgres://ada@db.example.org/work'
    expect(readEnvironment({ PIPE_DATABASE_URL: url })).toEqual([
      { source: { type: 'environment', name: 'PIPE_DATABASE_URL' }, settings: { tasks: { store: url } } },
    ])
  })

  it('ignores absent and empty variables', () => {
    expect(readEnvironment({ PIPE_MODEL: '', PIPE_PERMISSION_MODE: undefined })).toEqual([])
  })

  it.each([
    [
      { PIPE_DATABASE_URL: 'mysql://ada:hunter2@host/db' },
      'PIPE_DATABASE_URL takes a URL such as postgres://user@host/database',
    ],
    [{ PIPE_MODEL: 'gpt-5' }, 'PIPE_MODEL: expected provider/model, such as openai/gpt-5, not "gpt-5"'],
    [
      { PIPE_PERMISSION_MODE: 'yolo' },
      'PIPE_PERMISSION_MODE takes plan, default, accept-edits, auto, bypass, not "yolo"',
    ],
  ])('is rejected with an invalid value: %j', async (env, message) => {
    expect(await thrown(() => readEnvironment(env))).toMatchObject({ code: 'config', message })
  })
})
