import { movedFocus } from '../picker/picker-keys.ts'
import type { Screen } from '../state.ts'
import type { Key } from '../tty/key.ts'
import type { Panel, Verb } from './panel.ts'
import { countOf, offersOf, pageScrolled, pageSize } from './panel-view.ts'

export type PanelAction =
  | { readonly type: 'change_panel'; readonly panel: Panel }
  /** Acts on the focused row. */
  | { readonly type: 'use_panel'; readonly verb: Verb }
  | { readonly type: 'close_panel' }
  | { readonly type: 'nothing' }

const leaving: ReadonlySet<string> = new Set(['esc', 'q', 'ctrl+c', 'ctrl+d'])

/** Maps a key to an action of the open panel. Pure. */
export function readPanelKey(screen: Screen, panel: Panel, key: Key): PanelAction {
  if (key.type === 'paste') return { type: 'nothing' }
  const name = key.type === 'press' ? key.name : key.text.toLowerCase()
  const { confirming } = panel
  const offers = offersOf(screen, panel)
  if (confirming !== undefined) {
    const asking = offers.find(({ verb, confirm }) => verb === confirming && confirm !== undefined)
    const isSure = name === 'y' || (name === 'esc' && asking?.keys.includes('esc') === true)
    return isSure ? use(confirming) : change({ ...panel, confirming: undefined })
  }
  const offer = offers.find(({ keys }) => keys.includes(name))
  if (offer !== undefined)
    return offer.confirm === undefined ? use(offer.verb) : change({ ...panel, confirming: offer.verb })
  if (leaving.has(name))
    return panel.page === undefined ? { type: 'close_panel' } : change({ ...panel, page: undefined })
  return panel.page === undefined ? move(screen, panel, name) : scroll(screen, panel, name)
}

function move(screen: Screen, panel: Panel, name: string): PanelAction {
  const last = Math.max(0, countOf(screen, panel) - 1)
  const focus = movedFocus(name, { focus: panel.focus, page: pageSize(screen, panel), last })
  return focus === undefined ? { type: 'nothing' } : change({ ...panel, focus })
}

function scroll(screen: Screen, panel: Panel, name: string): PanelAction {
  const offset = pageScrolled(screen, panel, name)
  if (offset === undefined || panel.page === undefined) return { type: 'nothing' }
  return change({ ...panel, page: { ...panel.page, offset } })
}

function use(verb: Verb): PanelAction {
  return { type: 'use_panel', verb }
}

function change(panel: Panel): PanelAction {
  return { type: 'change_panel', panel }
}
