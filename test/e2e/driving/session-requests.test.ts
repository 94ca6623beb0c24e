import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { driveIn, request, user } from './driving-setup.ts'

describe('a program that drives pipe', () => {
  it('reads the settings in force, and names the session', async () => {
    const run = await driveIn()
    run.world.server.reply(say('Fine.'))
    const asked = [
      request('a', 'set_permission_mode', { mode: 'acceptEdits' }),
      request('b', 'get_settings'),
      request('c', 'generate_session_title', { description: 'Mend the build,\nplease' }),
      request('d', 'rename_session', { title: 'Elsewhere', session_id: 'another' }),
      request('e', 'rename_session', { title: ' ' }),
    ]
    for (const [i, line] of asked.entries()) {
      await run.send(line)
      await run.until(new RegExp(`"request_id":"${'abcde'.charAt(i)}"`))
    }
    await run.send(user('go'))
    await run.until(/"type":"result"/)
    await run.send(request('f', 'rename_session', { title: 'Greet' }))
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    const model = 'fake/model-1'
    expect(
      run
        .lines()
        .filter(({ type }) => type === 'control_response')
        .slice(1),
    ).toMatchObject(
      [
        {
          subtype: 'success',
          response: {
            effective: { model, permissions: { defaultMode: 'accept-edits' } },
            sources: [],
            applied: { model, effort: null },
          },
        },
        { subtype: 'success', response: { title: 'Mend the build, please' } },
        { subtype: 'error', error: expect.stringMatching(/^the session is [-0-9a-f]{36}, not another$/) },
        { subtype: 'error', error: 'a title needs a visible character' },
        { subtype: 'success', response: {} },
      ].map((response) => ({ response })),
    )
    expect(await run.world.sessions()).toMatchObject([{ title: 'Greet' }])
  })
})
