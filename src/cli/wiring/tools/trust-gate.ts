import type { UnapprovedAgent } from '../../../config/agents/find-agents.ts'
import type { Directories } from '../../../config/directories.ts'
import type { Layer, LayeredSettings } from '../../../config/layers.ts'
import { spellingOf } from '../../../config/project-settings.ts'
import { type FolderTrust, isProject } from '../../../config/trust/folder-trust.ts'
import { worktreesOf } from '../../../config/trust/main-root.ts'
import { type ContentVerdict, contentHash, recordTrust } from '../../../config/trust/trust.ts'
import { failureOf } from '../../../error.ts'
import type { Interaction, InteractionResponse } from '../../../interaction.ts'
import type { ModePolicy } from '../../../permission/policy.ts'
import { lockHolder, type Machine } from '../../machine.ts'
import { ruleTexts } from './rules.ts'

/** Asks the user once whether to trust a folder, before anything from there is sent. */
export interface TrustGate {
  /** Whether the folder is trusted by now. */
  readonly isTrusted: boolean
  /** Returns the question; `undefined` if there is none or it was answered. */
  question(): Interaction | undefined
  /**
   * Stores and applies the answer. Returns a message on the result. Throws `config`, `conflict`, `permission` if it cannot be
   * stored.
   */
  answer(response: InteractionResponse): Promise<string>
}

export interface TrustGateOptions {
  readonly machine: Machine
  readonly directories: Directories
  readonly loaded: Pick<LayeredSettings, 'trust' | 'proposed'>
  readonly policy: Pick<ModePolicy, 'trustFolder'>
  readonly signal: AbortSignal
}

/** Opens the gate of this run's folder. It asks about undecided folders and unapproved rules. */
export function openTrustGate({ machine, directories, loaded, policy, signal }: TrustGateOptions): TrustGate {
  const { trust } = loaded
  const { root, decided } = trust
  const proposed = loaded.proposed.filter(
    (layer) => trust.approved('permissions.allow', contentHash(allowedBy(layer))) === undefined,
  )
  const isUnknown = trust.trusted === undefined
  let asking = (isUnknown && isProject(root)) || (trust.trusted === true && proposed.length > 0)
  let asked: Interaction | undefined
  let isTrusted = trust.trusted === true
  const keep = (trusted: boolean, contents: readonly ContentVerdict[]) =>
    recordTrust(
      directories.config,
      decided,
      { trusted, at: new Date(machine.clock.now()).toISOString(), contents },
      lockHolder(machine, signal),
    )
  return {
    get isTrusted() {
      return isTrusted
    },
    question: () => {
      if (!asking) return undefined
      asked ??= compose({ trust, proposed }, machine)
      return asked
    },
    answer: async ({ selectedOptionId }) => {
      asking = false
      if (selectedOptionId === 'allow') {
        policy.trustFolder(ruleTexts(proposed))
        isTrusted = true
        const failure = await failureOf(keep(true, verdicts(proposed, true)))
        return failure === undefined
          ? `trusted: ${decided} (pipe trust remove undoes it)`
          : `trusted until pipe ends: ${decided}; this was not saved: ${failure.message}`
      }
      if (selectedOptionId !== 'deny') return `not trusted for now: ${decided}`
      const failure = await failureOf(keep(!isUnknown, isUnknown ? [] : verdicts(proposed, false)))
      return failure === undefined
        ? `not trusted: ${decided} (pipe trust changes that)`
        : `not trusted until pipe ends: ${decided}; this was not saved: ${failure.message}`
    },
  }
}

/** Approves the agents of a project as they are now. */
export function agentVerdicts(agents: readonly UnapprovedAgent[]): readonly ContentVerdict[] {
  return agents.map(({ hash }) => ({ kind: 'agent', hash, approved: true }))
}

/** Gives the same verdict on the allow rules of each project file. */
export function verdicts(proposed: readonly Layer[], approved: boolean): readonly ContentVerdict[] {
  return proposed.map((layer) => ({
    kind: 'permissions.allow',
    hash: contentHash(allowedBy(layer)),
    approved,
  }))
}

/** Returns the rules without examples. Their hash covers this form. */
function allowedBy({ settings }: Layer) {
  return [...(settings.permissions?.allow ?? [])].map(spellingOf)
}

function compose(
  {
    trust: { root, decided, trusted },
    proposed,
  }: { readonly trust: FolderTrust; readonly proposed: readonly Layer[] },
  { newId }: Machine,
): Interaction {
  const rules = proposed.flatMap(allowedBy)
  const isUnknown = trusted === undefined
  return {
    id: newId.interaction(),
    kind: 'confirm',
    purpose: 'confirm_risky_action',
    display: {
      title: isUnknown ? 'Use this folder?' : 'Allow what this folder asks for?',
      description: 'The authors of its files can influence what runs on your machine.',
      content: {
        folder: root,
        ...(decided !== root && { 'the answer also counts for': worktreesOf(decided) }),
        ...(isUnknown ? { 'if you trust it': 'git follows its configuration, which can run programs.' } : {}),
        ...(rules.length === 0 ? {} : { 'what its settings allow without asking': rules }),
      },
      contentKind: 'json',
    },
    options: [
      { id: 'later', label: 'Not now, ask again next time', isDefault: true },
      { id: 'allow', label: isUnknown ? 'Yes, I trust it' : 'Yes, allow it', style: 'primary' },
      { id: 'deny', label: 'No, and do not ask again', style: 'danger' },
    ],
  }
}
