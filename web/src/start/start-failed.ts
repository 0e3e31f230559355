import { currentLanguage } from '#base/language.ts';

const words = {
  zh: { title: '驿站加载失败', detail: '网络不通或页面已更新，请刷新重试。', button: '刷新' },
  en: {
    title: 'Waystation could not load',
    detail: 'The network is down or the page was updated. Reload to try again.',
    button: 'Reload',
  },
} as const;

/**
 * Shows a text and a reload button if the first files could not be loaded. It needs no framework,
 * because the framework could not be loaded either.
 */
export const showStartFailed = (): void => {
  const { title, detail, button } = words[currentLanguage()];
  const main = document.createElement('main');
  main.className = 'start-failed';
  const heading = document.createElement('h1');
  heading.textContent = title;
  const text = document.createElement('p');
  text.textContent = detail;
  const reload = document.createElement('button');
  reload.type = 'button';
  reload.textContent = button;
  reload.addEventListener('click', () => window.location.reload());
  main.append(heading, text, reload);
  document.getElementById('root')!.replaceChildren(main);
  reload.focus();
};
