import { describe, expect, test } from 'vitest'
import { isInAppBrowser } from '../../src/lib/in-app-browser.ts'

const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.004'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/121.0.6167.178 Mobile Safari/537.36'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

describe('a page inside an app', () => {
  test.each([
    ['Facebook on iOS', `${iphone} Mobile/21D50 [FBAN/FBIOS;FBAV/450.0.0.38.108;FBBV/564431005]`],
    ['Facebook on Android', `${android}; wv) ${chrome} [FB_IAB/FB4A;FBAV/450.0.0.42.110;]`],
    ['Messenger', `${iphone} Mobile/21D50 [FBAN/MessengerForiOS;FBAV/440.0]`],
    ['Instagram on iOS', `${iphone} Mobile/21D50 Instagram 317.0.0.34.109 (iPhone14,5; iOS 17_3; de_DE)`],
    ['Instagram on Android', `${android}) ${chrome} Instagram 317.0.0.34.109 Android`],
    ['Line', `${iphone} Mobile/21D50 Safari Line/14.0.0`],
    ['WeChat', `${iphone} Mobile/21D50 MicroMessenger/8.0.47(0x18002f2c) NetType/WIFI Language/en`],
    ['TikTok on iOS', `${iphone} Mobile/21D50 musical_ly_33.0.0 JsSdk/2.0 BytedanceWebview/d8a21c6`],
    ['TikTok on Android', `${android}; wv) ${chrome} trill_330003 BytedanceWebview/d8a21c6`],
    ['Snapchat', `${iphone} Version/17.3 Mobile/21D50 Safari/604.1 Snapchat/12.73.0.35`],
    ['LinkedIn', `${iphone} Mobile/21D50 [LinkedInApp]/9.29.4321`],
    ['some app on Android', `${android}; wv) ${chrome}`],
  ])('of %s', (_, userAgent) => {
    expect(isInAppBrowser(userAgent)).toBe(true)
  })
})

describe('a browser', () => {
  test.each([
    ['Safari', `${iphone} Version/17.3 Mobile/15E148 Safari/604.1`],
    ['Chrome on iOS', `${iphone} CriOS/121.0.6167.171 Mobile/15E148 Safari/604.1`],
    ['Firefox on iOS', `${iphone} FxiOS/122.0 Mobile/15E148 Safari/605.1.15`],
    ['Chrome on Android', `${android}) AppleWebKit/537.36 Chrome/121.0.0.0 Mobile Safari/537.36`],
    ['Samsung', `${android}) AppleWebKit/537.36 SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`],
    ['Chrome on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/121.0.0.0'],
    ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:122.0) Gecko/20100101 Firefox/122.0'],
    [
      'Safari on a Mac',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15',
    ],
    ['a page on the home screen of an iPhone', `${iphone} Mobile/15E148`],
    ['one that says nothing', ''],
    ['one with a name like theirs', 'Mozilla/5.0 (X11; Linux x86_64) Online/2.0 Pipeline/1.0'],
  ])('%s is none', (_, userAgent) => {
    expect(isInAppBrowser(userAgent)).toBe(false)
  })
})
