import { describe, expect, it } from 'vitest'
import {
  auditedMode,
  auditedTrust,
  consentsOf,
  withConsents,
} from '../../../../src/cli/wiring/audit/audited-consent.ts'
import type { Layer } from '../../../../src/config/layers.ts'
import { PipeError } from '../../../../src/error.ts'
import type { Interaction } from '../../../../src/interaction.ts'
import type { PermissionMode } from '../../../../src/permission.ts'
import { countingIds } from '../../../support/messages/ids.ts'
import { recordingAudit } from '../../../support/sessions/recording-audit.ts'

const trust = { root: '/p', shared: '/p', decided: '/p', trusted: true, approved: () => undefined }

function consents(mode: PermissionMode | undefined, trusts = false) {
  const settings = mode === undefined ? {} : { permissions: { mode } }
  const layers: readonly Layer[] = [{ source: { type: 'flag', name: '--permission-mode' }, settings }]
  return consentsOf({ settings, layers, trust }, { trusts })
}

describe('consent given before a run', () => {
  it('includes a mode other than the default, with its source, and trust for one run', () => {
    expect(consents('auto', true)).toEqual([
      {
        decision: 'mode_set',
        actor: 'user_local',
        audit: { to: 'auto', source: '--permission-mode' },
      },
      {
        decision: 'trust_granted',
        actor: 'user_local',
        audit: { folder: '/p', source: '--trust', for: 'this run' },
      },
    ])
    expect([consents('default'), consents(undefined)]).toEqual([[], []])
  })

  it('precedes the first entry, once, and creates no log by itself', async () => {
    const journal: string[] = []
    const log = withConsents(recordingAudit(journal).audit, consents('bypass'))
    await log.sync()
    expect(journal).toEqual(['audit sync'])
    log.append({ decision: 'feedback', actor: 'user_local', audit: {} })
    log.append({ decision: 'feedback', actor: 'user_local', audit: {} })
    await log.close()
    expect(journal.slice(1)).toEqual(['audit mode_set', 'audit feedback', 'audit feedback', 'audit close'])
  })
})

it('a changed mode is in the log before it applies', () => {
  const policy: { mode: PermissionMode } = { mode: 'default' }
  const held: PermissionMode[] = []
  const { audit, entries } = recordingAudit([], () => {
    held.push(policy.mode)
    return false
  })
  const audited = auditedMode(policy, audit)
  audited.mode = 'default'
  audited.mode = 'accept-edits'
  expect([policy.mode, held]).toEqual(['accept-edits', ['default']])
  expect(entries).toEqual([
    { decision: 'mode_set', actor: 'user_local', audit: { from: 'default', to: 'accept-edits' } },
  ])
})

it('a refused mode is neither in the log nor set', () => {
  const policy: { mode: PermissionMode } = { mode: 'plan' }
  const { audit, entries } = recordingAudit()
  const audited = auditedMode(policy, audit, (mode) => new PipeError('usage', `not ${mode}`))
  expect(() => {
    audited.mode = 'bypass'
  }).toThrow('not bypass')
  expect([policy.mode, entries]).toEqual(['plan', []])
})

describe('an answer to the trust question', () => {
  const interaction: Interaction = {
    id: countingIds().interaction(),
    kind: 'confirm',
    purpose: 'confirm_risky_action',
    display: { title: 'Trust this folder?', content: { folder: '/p' }, contentKind: 'json' },
  }

  it.each([
    ['allow', ['audit trust_granted', 'audit sync', 'allow']],
    ['deny', ['audit trust_denied', 'audit sync', 'deny']],
    ['later', ['later']],
  ])('%s is in the log, with the shown content, before it applies', async (selectedOptionId, happened) => {
    const journal: string[] = []
    const { audit, entries } = recordingAudit(journal)
    const gate = auditedTrust(
      {
        isTrusted: false,
        startsAnew: false,
        question: () => interaction,
        answer: async (response) => {
          journal.push(String(response.selectedOptionId))
          return 'kept'
        },
      },
      audit,
    )
    const response = { interactionId: interaction.id, answeredBy: 'user_ann', selectedOptionId }
    expect(await gate.answer(response)).toBe('kept')
    expect(journal).toEqual(happened)
    for (const entry of entries) {
      expect(entry).toMatchObject({
        actor: 'user_ann',
        audit: { interaction_id: interaction.id, shown: { folder: '/p' } },
      })
    }
  })
})
