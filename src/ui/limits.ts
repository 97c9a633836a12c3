/** The numbers of what is drawn. Times are milliseconds unless the name says otherwise. */
export const uiLimits = {
  /** If the page is still visible this long after a link to an app was tapped, nothing has opened. */
  appLinkPatience: 1_500,
  /** Edge of a QR code, in pixels. */
  qrSize: 160,
  previewHeight: 310,
  /** Of details that are opened; what is longer scrolls. */
  detailsHeight: 700,
  /** A copied secret is removed from the clipboard after this, where the browser allows it. */
  secretOnClipboard: 60_000,
  /** A download's object URL is revoked after this. */
  downloadUrlLife: 5_000,
  /** A waiting screen says more after this. */
  waitExplained: 8_000,
} as const
