import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import type { Search } from '../prompt/history-search.ts'
import { drawSearch } from '../prompt/search-view.ts'

/** Shows a search in earlier prompts. */
export function SearchInput({ search }: { readonly search: Search }) {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawSearch(screen, search)} />
}
