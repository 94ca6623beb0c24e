import type { ReactElement } from 'react'
import { counted } from '../../../frontend/words/amount.ts'
import { addressOf } from '../page-route.ts'
import type { PageElf } from '../session/page-entry.ts'

interface ElfProps {
  readonly elf: PageElf
}

const states: Readonly<Record<PageElf['state'], string>> = {
  working: 'working',
  done: 'done',
  failed: 'failed',
  stopped: 'stopped',
}

/** Draws an elf at work below the call that started it. */
export function ElfRow({ elf, onStop }: ElfProps & { readonly onStop: () => void }): ReactElement {
  const { name, agent, doing, calls } = elf
  return (
    <div className="elf working">
      <span className="spinner" role="img" aria-label="working" />
      <span className="name">
        {agent} {name}
      </span>
      <span className="subject">{doing || elf.prompt}</span>
      <span className="size">{calls === 0 ? '' : counted(calls, 'call')}</span>
      <button type="button" className="quiet" onClick={onStop} aria-label={`Stop ${name}`}>
        Stop
      </button>
    </div>
  )
}

/** Draws an elf that has ended, with the way to its session. */
export function ElfSummary({ elf }: ElfProps): ReactElement {
  const { name, agent, state, calls, reason, sessionId } = elf
  return (
    <div className={`elf ${state}`}>
      <span className="name">
        {agent} {name}
      </span>
      <span className="subject">
        {[states[state], reason, calls === 0 ? '' : counted(calls, 'call')].filter(Boolean).join(' · ')}
      </span>
      {sessionId === '' ? null : (
        <a className="quiet" href={addressOf({ type: 'session', id: sessionId })}>
          Open its session
        </a>
      )}
    </div>
  )
}
