import { useEffect, useState } from 'react'
import { usePage } from '../page-parts.ts'
import { useStore } from '../store.ts'
import { type ListedSession, readSessionRow } from '../wire/rows.ts'

/** Returns the row of a session: from the list, or asked for where the list has none. */
export function useSessionRow(id: string): ListedSession | undefined {
  const { api, lists } = usePage()
  const listed = useStore(lists).sessions.find((row) => row.id === id)
  const [asked, setAsked] = useState<ListedSession | undefined>(undefined)
  const isListed = listed !== undefined
  useEffect(() => {
    if (isListed) return
    const leaving = new AbortController()
    // The event stream of the session reports its faults.
    api.get(`/v1/sessions/${id}`, leaving.signal).then(
      (answer) => setAsked(readSessionRow(answer)),
      () => setAsked(undefined),
    )
    return () => leaving.abort()
  }, [api, id, isListed])
  return listed ?? asked
}
