/** Shows something else in place of a part that could not be loaded or rendered. */
import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  fallback: (error: unknown) => ReactNode
  children: ReactNode
}

export class Boundary extends Component<BoundaryProps, { failure: { error: unknown } | null }> {
  override state = { failure: null as { error: unknown } | null }

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } }
  }

  override render() {
    const { failure } = this.state
    return failure === null ? this.props.children : this.props.fallback(failure.error)
  }
}
