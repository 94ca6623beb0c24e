import { join } from 'node:path'
import { errorText, isPipeError } from '../../error.ts'
import { isJsonObject, type JsonValue, parseJson } from '../../json-value.ts'
import type { FindTool } from '../agents/agent-field.ts'
import { readJsonWithComments, readSettingsText } from '../settings-document.ts'
import { offerOfSettings, offerOfState } from './claude-offer.ts'
import { offerOfCodex } from './codex-offer.ts'
import { offerOfGemini } from './gemini-offer.ts'
import {
  emptyOffer,
  type ImportOffer,
  type PeerAgent,
  type PeerDocument,
  peerAgents,
} from './import-offer.ts'
import { offerOfOpencode } from './opencode-offer.ts'

export interface OfferSources {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The root of the project. */
  readonly root: string
  /** Whether to look into the project too. */
  readonly ofProject: boolean
  readonly findTool: FindTool
}

interface PeerFile {
  readonly agent: PeerAgent
  readonly path: string
  readonly read: (document: PeerDocument, sources: OfferSources) => ImportOffer
}

/** Lists the files that may be there. Those with states of an agent may be large. */
function peerFiles({ home, env, root, ofProject }: OfferSources): readonly PeerFile[] {
  const claude = env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude')
  const codex = env['CODEX_HOME'] ?? join(home, '.codex')
  const opencode = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode')
  const settings: PeerFile['read'] = (document, { findTool }) => offerOfSettings(document, findTool)
  const state: PeerFile['read'] = (document) => offerOfState(document, root)
  const hooks: PeerFile['read'] = ({ path, fields }) => {
    const { hooks: own = {} } = fields
    return { ...emptyOffer(path), hooks: isJsonObject(own) ? own : {} }
  }
  const opencodes = ['opencode.json', 'opencode.jsonc', 'config.json'].map((name) => join(opencode, name))
  const own: readonly PeerFile[] = [
    { agent: 'claude', path: join(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json'), read: state },
    { agent: 'claude', path: join(claude, 'settings.json'), read: settings },
    { agent: 'codex', path: join(codex, 'config.toml'), read: offerOfCodex },
    { agent: 'codex', path: join(codex, 'hooks.json'), read: hooks },
    { agent: 'gemini', path: join(home, '.gemini/settings.json'), read: offerOfGemini },
    ...opencodes.map((path): PeerFile => ({ agent: 'opencode', path, read: offerOfOpencode })),
    { agent: 'pi', path: join(home, '.pi/agent/settings.json'), read: offerOfPi },
  ]
  if (!ofProject) return own
  return [
    ...own,
    { agent: 'claude', path: join(root, '.mcp.json'), read: state },
    { agent: 'claude', path: join(root, '.claude/settings.json'), read: settings },
    { agent: 'claude', path: join(root, '.claude/settings.local.json'), read: settings },
    { agent: 'codex', path: join(root, '.codex/config.toml'), read: offerOfCodex },
    { agent: 'codex', path: join(root, '.codex/hooks.json'), read: hooks },
    { agent: 'gemini', path: join(root, '.gemini/settings.json'), read: offerOfGemini },
    { agent: 'opencode', path: join(root, 'opencode.json'), read: offerOfOpencode },
  ]
}

/** Reads the model of pi's settings, which has no servers and no rules. */
function offerOfPi({ path, fields }: PeerDocument): ImportOffer {
  const { defaultProvider: provider, defaultModel: model } = fields
  const isNamed = typeof provider === 'string' && typeof model === 'string'
  return {
    ...emptyOffer(path),
    model: isNamed ? `${provider === 'google' ? 'gemini' : provider}/${model}` : undefined,
  }
}

/** Reads what other agents' settings offer; of one agent, or of all. Names in `faults` the files that cannot be read. */
export async function findOffers(
  agents: readonly PeerAgent[] = peerAgents,
  sources: OfferSources,
): Promise<{ readonly offers: readonly ImportOffer[]; readonly faults: readonly string[] }> {
  const offers: ImportOffer[] = []
  const faults: string[] = []
  for (const { agent, path, read } of peerFiles(sources)) {
    if (!agents.includes(agent)) continue
    try {
      const fields = await readDocument(path)
      if (fields !== undefined)
        offers.push(read({ path, fields: isJsonObject(fields) ? fields : {} }, sources))
    } catch (error) {
      if (!isPipeError(error) && !path.endsWith('.toml')) throw error
      const reason = errorText(error)
      faults.push(reason.startsWith(path) || isPipeError(error) ? reason : `${path}:${reason}`)
    }
  }
  return { offers, faults }
}

/** The state of an agent lists each project it was ever started in. */
const largest = 16 * 1024 * 1024

async function readDocument(path: string): Promise<JsonValue | undefined> {
  if (!path.endsWith('.toml')) return readJsonWithComments(path, largest)
  const text = readSettingsText(path)
  if (text === undefined) return undefined
  const { parseToml } = await import('../toml-document.ts')
  // Dates become texts, and what JSON does not have goes.
  return parseJson(JSON.stringify(parseToml(text)))
}
