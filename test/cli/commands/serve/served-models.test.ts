import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ServedModels } from '../../../../src/cli/commands/serve/served-models.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { thrown } from '../../../support/thrown.ts'

const { signal } = new AbortController()
const nowhere = 'http://127.0.0.1:9/v1'

async function open(settings: object) {
  const cwd = await folderWith()
  const configure = (given: object) => writeFile(join(cwd, 'config.json'), JSON.stringify(given))
  await configure(settings)
  const machine = quietHost(cwd, { env: { PIPE_HOME: cwd } })
  const models = new ServedModels(machine, {
    layers: [],
    trusts: false,
    session: { type: 'new' },
    isSaved: true,
    limits: {},
    onAsk: 'ask',
    interactive: true,
    mayAskForTitle: false,
  })
  onTestFinished(() => models.close())
  return { models, configure }
}

const settings = { model: 'fake/m', providers: { fake: { base_url: nowhere, models: ['m', 'n'] } } }

describe('the models of a server', () => {
  it('are opened once, and again when the settings have changed', async () => {
    const { models, configure } = await open(settings)
    const first = await models.open('fake/m', { signal })
    expect([first.choice.provider.name, first.choice.model]).toEqual(['fake', 'm'])
    expect(await models.open('fake/m', { signal })).toBe(first)
    await configure({ ...settings, fallback: ['fake/n'] })
    const again = await models.open('fake/m', { signal })
    expect(again.fallback.map(({ name }) => name)).toEqual(['fake/n'])
  })

  it('are the usual one without a name', async () => {
    const { models } = await open(settings)
    expect((await models.open(undefined, { signal })).choice.model).toBe('m')
  })

  it('are not found by a name that stands for none, also the second time', async () => {
    const { models } = await open(settings)
    for (const name of ['nobody/m', 'nobody/m', 'nothing at all'])
      expect(await thrown(() => models.open(name, { signal }))).toMatchObject({ code: 'not_found' })
  })

  it('leave a fault of the settings to be one', async () => {
    const { models } = await open({ model: 'nobody/m' })
    expect(await thrown(() => models.open(undefined, { signal }))).toMatchObject({ code: 'config' })
  })

  it('are listed after the agents', async () => {
    const { models } = await open({
      providers: { fake: { base_url: nowhere, api_key_env: 'PIPE_HOME', models: ['m', 'n'] } },
    })
    const listed = await models.list({ signal })
    expect(listed[0]).toMatchObject({ owner: 'pipe', id: expect.stringMatching(/^agent\//) })
    expect(listed.filter(({ owner }) => owner === 'fake').map(({ id }) => id)).toEqual(['fake/m', 'fake/n'])
    expect(await models.list({ signal })).toBe(listed)
  })

  it('fail for no one but those who have gone', async () => {
    const { models } = await open({ model: 'nobody/m' })
    const gone = AbortSignal.abort()
    expect(await thrown(() => models.open(undefined, { signal: gone }))).toMatchObject({ code: 'aborted' })
    await new Promise((resolve) => setImmediate(resolve))
  })
})
