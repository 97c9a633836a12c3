import { Component, type ReactNode } from 'react'

interface GuardProps {
  onCrash(cause: unknown): void
  children: ReactNode
}

/** When a screen throws while rendering, nothing of it stays on the page, and the run is notified. */
export class Guard extends Component<GuardProps, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override componentDidCatch(cause: unknown) {
    this.props.onCrash(cause)
  }

  override render() {
    return this.state.crashed ? null : this.props.children
  }
}
