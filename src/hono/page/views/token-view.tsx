import { type FormEvent, type ReactElement, useState } from 'react'
import { readPasted } from '../wire/token.ts'

interface TokenViewProps {
  /** The server refused the token that the page had. */
  readonly isRefused: boolean
  onToken(token: string): void
}

/** Asks for the token. */
export function TokenView({ isRefused, onToken }: TokenViewProps): ReactElement {
  const [pasted, setPasted] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const token = readPasted(pasted)
    if (token !== '') onToken(token)
  }
  return (
    <main className="token">
      <form onSubmit={submit}>
        <h1 className="brand">pipe</h1>
        <p role={isRefused ? 'alert' : undefined}>
          {isRefused
            ? 'The server does not accept this token. Paste the address that pipe serve prints now.'
            : 'Paste the address that pipe serve printed, or its token.'}
        </p>
        <label>
          Address or token
          <input
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={pasted}
            onChange={({ target }) => setPasted(target.value)}
          />
        </label>
        <button type="submit" className="primary" disabled={readPasted(pasted) === ''}>
          Open
        </button>
      </form>
    </main>
  )
}
