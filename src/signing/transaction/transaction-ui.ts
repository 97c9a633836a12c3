/** The host's own words on the screens of a transaction. In a strict app, the vault's review displays its own in their place. */
export interface TransactionUi {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly buttonText?: string | undefined
  /** An image of what is paid for, and its alternative text. */
  readonly iconUrl?: string | undefined
  readonly iconName?: string | undefined
  readonly isCancellable?: boolean | undefined
  /** The host wants no screen (`showWalletUIs: false`), which a strict app doesn't grant. */
  readonly isHidden?: boolean | undefined
  /** Title and text of the receipt. */
  readonly successHeader?: string | undefined
  readonly successDescription?: string | undefined
}

/** The host's words, as the review displays them in the page. */
export const wordsOf = (ui: TransactionUi = {}) => ({
  ...(ui.title !== undefined && { title: ui.title }),
  ...(ui.description !== undefined && { description: ui.description }),
  ...(ui.buttonText !== undefined && { buttonText: ui.buttonText }),
  ...(ui.iconUrl !== undefined && { iconUrl: ui.iconUrl, iconName: ui.iconName }),
  ...(ui.isCancellable !== undefined && { cancellable: ui.isCancellable }),
})
