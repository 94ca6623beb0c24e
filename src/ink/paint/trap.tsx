import { Component, type ReactNode } from 'react'

interface TrapProps {
  readonly onError: (error: unknown) => void
  readonly children: ReactNode
}

/** Reports what a component below throws. Ink would draw it in place of the screen and go on. */
export class Trap extends Component<TrapProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error)
  }

  override render(): ReactNode {
    return this.state.hasFailed ? undefined : this.props.children
  }
}
