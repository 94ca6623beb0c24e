import type { LayeredSettings } from '../../config/layers.ts'
import type { RuleSettings, Settings } from '../../config/settings.ts'
import { escapeGlob } from '../../globs/compile-glob.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { ruleSubject } from '../../permission/rules/rule.ts'
import { type Move, mapping } from '../../replay/relocated.ts'

/**
 * Returns settings whose rules and writable folders name a moved folder where it is now. Whatever they allow, nothing may change the
 * folder where it was; `mover` is named as the reason.
 */
export function movedSettings(
  { settings, layers, ...loaded }: LayeredSettings,
  move: Move,
  { home, mover }: { readonly home: string; readonly mover: string },
): LayeredSettings {
  const map = mapping(move)
  const mapRule = (rule: RuleSettings) => map(withoutTilde(typeof rule === 'string' ? rule : rule.rule, home))
  const fence = { permissions: { deny: [`Edit(/${escapeGlob(move.from)}/**)`] } }
  return {
    ...loaded,
    settings: moved(settings, { map, mapRule }),
    layers: [
      // The rules of a project begin in its folder.
      ...layers.map((layer) => ({
        source: { ...layer.source, name: map(layer.source.name) },
        settings: moved(layer.settings, { map, mapRule }),
      })),
      { source: { type: 'flag', name: mover }, settings: fence },
    ],
  }
}

interface Mappings {
  readonly map: (path: string) => string
  /** Leaves out the examples of a rule, which name the old folder and were checked there. */
  readonly mapRule: (rule: RuleSettings) => string
}

function moved(settings: Settings, { map, mapRule }: Mappings): Settings {
  const { permissions, sandbox } = settings
  if (permissions === undefined && sandbox === undefined) return settings
  const { allow, ask, deny } = permissions ?? {}
  const rules = omitUndefined({
    allow: allow?.map(mapRule),
    ask: ask?.map(mapRule),
    deny: deny?.map(mapRule),
  })
  return {
    ...settings,
    permissions: { ...permissions, ...rules },
    sandbox: { ...sandbox, ...omitUndefined({ writable: sandbox?.writable?.map(map) }) },
  }
}

/** Spells the home folder out in a rule on paths. */
function withoutTilde(rule: string, home: string): string {
  const [, tool = ''] = /^\s*(\w+)\s*\(\s*~\//.exec(rule) ?? []
  const isOnPaths = ['read', 'edit'].includes(ruleSubject(tool))
  return isOnPaths ? rule.replace('~/', () => `/${home}/`) : rule
}
