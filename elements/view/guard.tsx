import { Component, type ReactNode } from 'react'

interface GuardProps {
  onCrash(cause: unknown): void
  children: ReactNode
}

/** Where a screen throws while it is drawn, nothing is left standing, and the run hears of it. */
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
