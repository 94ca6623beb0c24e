import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { watch } from '../../support/live/watching.ts'
import { say } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { rawConnection } from '../../support/servers/raw-connection.ts'
import { rawRequest } from '../../support/servers/raw-request.ts'

/** Resident memory in MiB. */
function memoryOf(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1_024
}

describe('a server under load', () => {
  it('runs 50 turns at once, each told to its own watcher', async () => {
    const world = await openWorld()
    const served = await serveWorld(world)
    world.server.reply(...Array.from({ length: 50 }, () => say('Done.')))
    const turns = Array.from({ length: 50 }, async (_, i) => {
      const { text } = await served.call('POST', '/v1/sessions', {})
      const path = `/v1/sessions/${JSON.parse(text).id}`
      const watching = await watch(served, `${path}/events`)
      await watching.untilType('snapshot')
      expect((await served.call('POST', `${path}/messages`, { text: `turn ${i}` })).status).toBe(201)
      const { json } = await watching.untilType('turn_end')
      await watching.close()
      return json.stop_reason
    })
    expect(new Set(await Promise.all(turns))).toEqual(new Set(['end_turn']))
    expect((await world.sessions()).length).toBe(50)
  })

  it('tells 200 who only listen, and answers others meanwhile', async () => {
    const world = await openWorld()
    const served = await serveWorld(world)
    world.server.reply(say('Done.'))
    const { text } = await served.call('POST', '/v1/sessions', {})
    const path = `/v1/sessions/${JSON.parse(text).id}`
    const watchers = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const watching = await watch(served, `${path}/events`)
        await watching.untilType('snapshot')
        return watching
      }),
    )
    await served.call('POST', `${path}/messages`, { text: 'go' })
    await Promise.all(watchers.map(({ untilType }) => untilType('turn_end')))
    expect((await served.call('GET', '/health/live')).status).toBe(200)
    await Promise.all(watchers.map(({ close }) => close()))
  })

  it('answers while 10,000 connections come and only wait', async () => {
    const { url, call } = await serveWorld(await openWorld())
    for (let batch = 0; batch < 20; batch++) {
      await Promise.all(Array.from({ length: 500 }, () => rawConnection(url)))
      expect((await call('GET', '/health/live')).status).toBe(200)
    }
  })

  it('needs no more memory after 10,000 requests than after 5,000', async () => {
    const world = await openWorld()
    const path = join(world.cwd, 's.sock')
    const program = world.start(['serve', '--json', '--listen', `unix:${path}`])
    await program.until(/\n/)
    const { url, token } = JSON.parse(program.stdout)
    const headers = { authorization: `Bearer ${token}`, host: 'pipe' }
    const targets = [
      '/health/live',
      '/v1/sessions',
      '/v1/projects',
      '/nothing',
      '/openapi.json',
      '/v1/sessions/x',
    ]
    const thousand = async () => {
      for (let i = 0; i < 1_000; i += 50)
        await Promise.all(
          Array.from({ length: 50 }, (_, j) =>
            rawRequest(url, { path: targets[(i + j) % targets.length] ?? '', headers, socketPath: path }),
          ),
        )
    }
    for (let i = 0; i < 5; i++) await thousand()
    const half = memoryOf(program.pid)
    for (let i = 0; i < 5; i++) await thousand()
    expect(memoryOf(program.pid)).toBeLessThan(half * 1.1)
  })
})
