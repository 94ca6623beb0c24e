import type { ElfState } from '../shown-elf.ts'
import type { Offer, Page } from './panel.ts'

/** Counts elves in words: `2 running · 1 done`. */
export function elfSummary(elves: readonly ElfState[]): string {
  const states = ['running', 'done', 'failed', 'stopped'] as const
  return states
    .flatMap((state) => {
      const count = elves.filter((elf) => elf.state === state).length
      return count === 0 ? [] : [`${count} ${state}`]
    })
    .join(' · ')
}

/** Lists the keys that act on an elf. In its row, Esc stops it after a confirmation. */
export function elfOffers({ state, start }: ElfState, page: Page | undefined): readonly Offer[] {
  const open: Offer = { keys: ['enter'], verb: 'open', hint: 'Enter shows it' }
  const stop: Offer = {
    keys: ['x'],
    verb: 'stop',
    hint: page === undefined ? 'x or Esc stops it' : 'x stops it',
  }
  const ask: Offer = {
    keys: ['esc'],
    verb: 'stop',
    hint: '',
    confirm: `stop ${start.agent} ${start.name}?`,
  }
  if (page !== undefined) return state === 'running' ? [stop] : []
  return state === 'running' ? [open, stop, ask] : [open]
}
