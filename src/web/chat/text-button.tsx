import style from './conversation.module.css';

export function TextButton({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <button type="button" className={style['textButton']} onClick={onClick}>
      {text}
    </button>
  );
}
