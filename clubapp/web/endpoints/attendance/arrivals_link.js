// The link of the helpers: made at the first press, shown with its code, withdrawn at a press. Administrators only.
const dialog = element("link");

function showLink(link) {
  element("link-made").hidden = !link.address;
  element("link-make").hidden = Boolean(link.address);
  element("link-address").value = link.address;
  element("link-ends").textContent = link.ends;
  if (link.address) element("link-picture").src = link.picture;
}

async function workLink(act, said) {
  const told = element("link-said");
  told.textContent = told.className = "";
  try {
    const link = await act();
    showLink(link);
    told.textContent = said || "";
    const held = document.activeElement; // what was pressed may be hidden now
    if (!dialog.contains(held) || !held.getClientRects().length) element(link.address ? "link-copy" : "link-make").focus();
  } catch (error) {
    told.className = "wrong";
    told.textContent = error.isRefusal ? error.message : texts.needsNetwork;
  }
}

const makeLink = () => send("/lien", { act: "make" });
if (dialog) {
  element("link-open").addEventListener("click", () => {
    showLink({ address: "", ends: "" });
    element("link-make").hidden = true;
    dialog.showModal();
    workLink(async () => {
      const found = await ask("/lien");
      return found.address ? found : makeLink();
    });
  });
  element("link-make").addEventListener("click", () => workLink(makeLink));
  element("link-withdraw").addEventListener("click", () => workLink(() => send("/lien", { act: "withdraw" }), texts.withdrawn));
  element("link-close").addEventListener("click", () => dialog.close());
  element("link-copy").addEventListener("click", async () => {
    element("link-address").select();
    try {
      await navigator.clipboard.writeText(element("link-address").value);
    } catch (closed) {
      document.execCommand("copy");
    }
    element("link-said").className = "";
    element("link-said").textContent = texts.copied;
  });
}

start();
