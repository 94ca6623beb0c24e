import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { capabilities } from '../../src/actor.ts'
import { readActor, readUser, sharedCapabilities } from '../../src/config/actors.ts'
import { readSettings } from '../../src/config/settings.ts'
import { settingsSchema } from '../../src/config/settings-schema.ts'
import { folderWith } from '../support/folders/folder.ts'
import { thrown } from '../support/thrown.ts'

const read = async (settings: object) => {
  const folder = await folderWith({ 'config.json': JSON.stringify(settings) })
  return readSettings(join(folder, 'config.json'))
}

const jerry = {
  kind: 'human',
  display_name: 'Jerry',
  capabilities: ['tool_read_file', 'create_task'],
  default_agent_id: 'agent_writer',
}

describe('the actors of the settings', () => {
  it('have every field of an actor', async () => {
    const settings = await read({ actor: 'user_jerry', actors: { user_jerry: jerry } })
    expect(readUser(settings)).toEqual({
      id: 'user_jerry',
      kind: 'human',
      displayName: 'Jerry',
      defaultAgentId: 'agent_writer',
      capabilities: ['tool_read_file', 'create_task'],
    })
  })

  it('have every capability and the name of their id unless told otherwise', async () => {
    expect(readUser({})).toEqual({ id: 'user_local', kind: 'human', displayName: 'local', capabilities })
    const settings = await read({ actors: { agent_x: {} } })
    expect(readActor('agent_x', settings)).toEqual({
      id: 'agent_x',
      kind: 'agent',
      displayName: 'x',
      capabilities,
    })
    expect(capabilities).toEqual([
      ...['tool_read_file', 'tool_edit_file', 'tool_run_command', 'tool_fetch_url'],
      ...['run_latex_build', 'read_assets', 'create_task'],
    ])
  })

  it('can together do what each of them can', () => {
    const actors = {
      agent_a: { capabilities: [...capabilities.slice(0, 3)] },
      agent_b: { capabilities: [...capabilities.slice(2, 5)] },
    }
    expect(sharedCapabilities(['agent_a', 'agent_b', 'agent_c'], { actors })).toEqual(['tool_run_command'])
  })

  it.each([
    [{ actor: 'agent_x' }],
    [{ actors: { jerry } }],
    [{ actors: { agent_jerry: jerry } }],
    [{ actors: { user_jerry: { ...jerry, capabilities: ['tool_fly'] } } }],
    [{ actors: { user_jerry: { ...jerry, default_agent_id: 'user_x' } } }],
    [{ actors: { user_jerry: { ...jerry, display_name: '' } } }],
    [{ actors: { user_jerry: { ...jerry, role: 'boss' } } }],
    [{ actors: [] }],
  ])('are refused where they are malformed: %j', async (settings) => {
    expect(await thrown(() => read(settings))).toMatchObject({ code: 'config' })
    expect(settingsSchema.safeParse(settings).success).toBe(false)
  })
})
