import { expect, it, onTestFinished, vi } from 'vitest'
import { listenForRedirect } from '../../src/http/redirect-listener.ts'
import { rawRequest } from '../support/servers/raw-request.ts'

async function listen() {
  const listener = await listenForRedirect(0)
  onTestFinished(() => listener.close())
  return { ...listener, url: `http://127.0.0.1:${listener.port}` }
}

it('a redirect is taken once it counts, and the others are refused', async () => {
  const { url, answer } = await listen()
  const onForeign = vi.fn()
  const { signal } = new AbortController()
  const waiting = answer((query) => query.get('state') === 'ours', { signal, onForeign })
  const statuses: number[] = []
  for (const path of ['/', '/callback', '/callback?state=theirs', '/callback?state=ours&code=1'])
    statuses.push((await fetch(url + path)).status)
  expect(statuses).toEqual([404, 400, 400, 200])
  expect(String(await waiting)).toBe('state=ours&code=1')
  expect(onForeign).toHaveBeenCalledTimes(2)
})

it('a target that is no URL is refused, and the next redirect is taken', async () => {
  const { url, answer } = await listen()
  const { signal } = new AbortController()
  const waiting = answer(() => true, { signal, onForeign: () => undefined })
  const statuses: number[] = []
  for (const path of ['//', 'http://', '/callback?code=1'])
    statuses.push((await rawRequest(url, { path })).status)
  expect(statuses).toEqual([400, 400, 200])
  expect(String(await waiting)).toBe('code=1')
})

it('waiting ends with the signal', async () => {
  const { answer } = await listen()
  const stop = new AbortController()
  const waiting = answer(() => true, { signal: stop.signal, onForeign: () => undefined })
  stop.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  await expect(answer(() => true, { signal: stop.signal, onForeign: () => undefined })).rejects.toMatchObject(
    {
      code: 'aborted',
    },
  )
})

it('a port that is taken is named', async () => {
  const { port } = await listen()
  await expect(listenForRedirect(port)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`cannot listen on 127.0.0.1:${port}`),
  })
})
