import { expect, it } from 'vitest'
import { type Holder, isAlive } from '../../../src/files/lock/lock-holder.ts'

const self: Holder = { pid: 1, host: 'ada', boot_id: 'boot', pid_namespace: '100' }
const untold = { pid: 1, host: 'ada' }

/** The table names the evidence that decides: process table or heartbeat. */
it.each<[string, Holder, Omit<Holder, 'pid'>, 'pid' | 'heartbeat']>([
  ['one boot, one namespace', self, self, 'pid'],
  ['a machine whose name has changed', { ...self, host: 'grace' }, self, 'pid'],
  ['another container with the same host name', { ...self, pid_namespace: '200' }, self, 'heartbeat'],
  ['another container', { ...self, host: 'grace', pid_namespace: '200' }, self, 'heartbeat'],
  ['another machine', { ...self, host: 'grace', boot_id: 'other' }, self, 'heartbeat'],
  ['a reboot, or another machine with the same host name', { ...self, boot_id: 'other' }, self, 'heartbeat'],
  ['a lock with only its host, as older versions wrote it', untold, self, 'pid'],
  ['a lock with only another host', { ...untold, host: 'grace' }, self, 'heartbeat'],
  ['a system without /proc', untold, untold, 'pid'],
  ['another machine without /proc', { ...untold, host: 'grace' }, untold, 'heartbeat'],
  ['a system without a namespace', { ...untold, boot_id: 'boot' }, { ...untold, boot_id: 'boot' }, 'pid'],
  [
    'a system without a namespace, on another host',
    { ...untold, boot_id: 'boot' },
    { host: 'grace', boot_id: 'boot' },
    'heartbeat',
  ],
])('is alive: %s', (_, holder, me, who) => {
  const alive = (runs: boolean, silentMs: number) => isAlive(holder, me, { silentMs, isRunning: () => runs })
  const facts = [alive(true, 0), alive(true, 24_999), alive(true, 25_000), alive(true, -25_000)]
  const ended = [alive(false, 0), alive(false, 24_999), alive(false, 25_000), alive(false, -25_000)]
  expect([facts, ended]).toEqual(
    who === 'pid'
      ? [
          [true, true, true, true],
          [false, false, false, false],
        ]
      : [
          [true, true, false, false],
          [true, true, false, false],
        ],
  )
})
